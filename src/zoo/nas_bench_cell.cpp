#include "zoo/nas_bench_cell.hpp"

#include <array>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::zoo {
namespace {

/// Beside the input of the cell.
constexpr std::size_t kCellNodes = 3;
constexpr std::string_view kExample =
    "|nor_conv_3x3~0|+|none~0|skip_connect~1|+|none~0|none~1|"
    "avg_pool_3x3~2|";

constexpr std::array<std::pair<std::string_view, CellOperation>, 5> kOperations = {
    {{"none", CellOperation::None},
     {"skip_connect", CellOperation::Skip},
     {"nor_conv_1x1", CellOperation::Convolution1x1},
     {"nor_conv_3x3", CellOperation::Convolution3x3},
     {"avg_pool_3x3", CellOperation::AveragePool3x3}}};

[[noreturn]] void refuse(std::string_view arch, const std::string& problem) {
  throw Error(ErrorKind::BadInput, fmt::format("arch={}: {}", arch, problem));
}

std::vector<std::string_view> split(std::string_view text, char separator) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = text.find(separator);
    parts.push_back(text.substr(0, end));
    if (end == std::string_view::npos) return parts;
    text.remove_prefix(end + 1);
  }
}

CellOperation operation(std::string_view arch, std::size_t node, std::size_t from,
                        std::string_view edge) {
  const std::size_t tilde = edge.rfind('~');
  if (tilde == std::string_view::npos) {
    refuse(arch, fmt::format("edge {} of node {} is '{}': write the operation and the node that it "
                             "reads, like none~{}",
                             from + 1, node, edge, from));
  }
  const std::string_view name = edge.substr(0, tilde);
  const std::string_view source = edge.substr(tilde + 1);
  if (source != std::to_string(from)) {
    refuse(arch, fmt::format("edge {} of node {} reads node {}, but edges stand in the order of "
                             "the nodes that they read: here {}~{}",
                             from + 1, node, source, name, from));
  }
  std::string names;
  for (const auto& [word, one] : kOperations) {
    if (word == name) return one;
    names += (names.empty() ? "" : ", ") + std::string(word);
  }
  refuse(arch,
         fmt::format("edge {} of node {} does '{}'; there are: {}", from + 1, node, name, names));
}

std::vector<CellOperation> node_edges(std::string_view arch, std::size_t node,
                                      std::string_view text) {
  if (text.size() < 2 || text.front() != '|' || text.back() != '|') {
    refuse(arch, fmt::format("node {} is '{}': write its edges between bars, like {}", node, text,
                             kExample));
  }
  const auto edges = split(text.substr(1, text.size() - 2), '|');
  if (edges.size() != node) {
    refuse(arch, fmt::format("node {} has {} edge{}, but needs {}: one from each node before it",
                             node, edges.size(), edges.size() == 1 ? "" : "s", node));
  }
  std::vector<CellOperation> operations;
  for (std::size_t from = 0; from < edges.size(); ++from)
    operations.push_back(operation(arch, node, from, edges[from]));
  return operations;
}

}  // namespace

CellNodes parse_cell(std::string_view arch) {
  const auto nodes = split(arch, '+');
  if (nodes.size() != kCellNodes) {
    refuse(arch, fmt::format("has {} node{} with a + between them, but a cell has {}, like {}",
                             nodes.size(), nodes.size() == 1 ? "" : "s", kCellNodes, kExample));
  }
  CellNodes cell;
  for (std::size_t i = 0; i < nodes.size(); ++i) cell.push_back(node_edges(arch, i + 1, nodes[i]));
  return cell;
}

}  // namespace jouletree::zoo
