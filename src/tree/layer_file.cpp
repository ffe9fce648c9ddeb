#include <algorithm>
#include <ostream>

#include <fmt/format.h>

#include "base/csv.hpp"
#include "jouletree/tree_files.hpp"
#include "tree/operator_details.hpp"

namespace jouletree {
namespace {

std::string number(const std::optional<std::int64_t>& value) {
  return value ? std::to_string(*value) : "";
}

std::string real(const std::optional<double>& value) {
  return value ? fmt::format("{}", *value) : "";
}

void write_row(const ModelTree& tree, const TreeNode& node, const NodeFigures& figures,
               std::ostream& out) {
  const tree::LayerSettings settings = tree::layer_settings(tree, *node.operation);
  const Totals& totals = node.totals;
  const auto bytes = totals.bytes_moved();
  out << csv_field(node.scope) << ',' << csv_field(node.type) << ',' << settings.input_size << ','
      << settings.output_size << ',' << settings.kernel_size << ',' << settings.stride << ','
      << settings.padding << ',' << totals.params << ',' << number(totals.macs.value()) << ','
      << number(totals.flops.value()) << ','
      << (bytes.lower_bound() ? std::string() : number(bytes.value())) << ','
      << real(figures.time_s) << ',' << real(figures.energy_j) << ','
      << (figures.time_s ? time_provenance_of(figures) : "") << ','
      << (figures.energy_j ? name_of(figures.energy_provenance) : "") << '\n';
}

void collect(const TreeNode& node, std::vector<const TreeNode*>& operators) {
  if (node.kind == TreeNodeKind::Operator) operators.push_back(&node);
  for (const TreeNode& child : node.children) collect(child, operators);
}

}  // namespace

void write_layers(const ModelTree& tree, std::ostream& out, const FiguresOf& figures_of) {
  out << "name,type,input_size,output_size,kernel_size,stride,padding,params,macs,flops,bytes,"
         "time_s,energy_j,time_provenance,energy_provenance\n";
  std::vector<const TreeNode*> operators;
  collect(tree.root, operators);
  std::sort(operators.begin(), operators.end(), [](const TreeNode* a, const TreeNode* b) {
    return a->operation->id < b->operation->id;
  });
  for (const TreeNode* node : operators)
    write_row(tree, *node, figures_of ? figures_of(*node) : NodeFigures(), out);
}

}  // namespace jouletree
