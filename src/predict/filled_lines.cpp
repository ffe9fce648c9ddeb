#include <ostream>

#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "base/json_or_null.hpp"
#include "jouletree/predict.hpp"
#include "jouletree/provenance.hpp"

namespace jouletree {
namespace predict {
namespace {

using Json = nlohmann::ordered_json;

void fill_range(Json& node, const std::string& key, const std::optional<Range>& range) {
  node[key + "_low"] = range ? Json(range->low) : Json(nullptr);
  node[key + "_high"] = range ? Json(range->high) : Json(nullptr);
}

/// Nodes are met in the order in which the reader numbered them.
void fill_node(Json& node, const std::vector<NodePrediction>& predictions,
               std::string_view learned_from, std::size_t& index) {
  const NodePrediction& prediction = predictions[index++];
  node["predicted_energy"] = or_null(prediction.energy_j);
  fill_range(node, "predicted_energy", prediction.energy_range);
  node["predicted_time"] = or_null(prediction.time_s);
  fill_range(node, "predicted_time", prediction.time_range);
  node["predicted_power"] = or_null(prediction.power_w());
  node["prediction_provenance"] = name_of(Provenance::Predicted);
  if (prediction.energy_j) node["learned_from_energy"] = learned_from;
  node["beyond_training"] = prediction.beyond_training;
  node["foreign_operators"] = prediction.foreign;
  const auto children = node.find("child_nodes_obj");
  if (children == node.end()) return;
  for (Json& child : *children) fill_node(child, predictions, learned_from, index);
}

}  // namespace
}  // namespace predict

void write_filled_lines(std::string_view text, const std::vector<TreeRun>& runs,
                        const std::vector<std::vector<NodePrediction>>& predictions,
                        Provenance learned_from, std::ostream& out) {
  std::size_t next = 0;  // the run whose line comes next
  std::size_t number = 0;
  while (!text.empty() && next < runs.size()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (++number != runs[next].line) continue;
    auto json = parse_json<predict::Json>(line);
    std::size_t index = 0;
    predict::fill_node(json.at("frontend_tree"), predictions[next++], name_of(learned_from), index);
    out << json.dump(-1, ' ', false, predict::Json::error_handler_t::replace) << '\n';
  }
}

}  // namespace jouletree
