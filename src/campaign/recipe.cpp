#include "campaign/recipe.hpp"

#include <fstream>

#include "base/json_or_null.hpp"
#include "jouletree/error.hpp"

namespace jouletree::campaign {
namespace {

using nlohmann::ordered_json;

/// Null for inference.
ordered_json training_recipe(const std::optional<ItemTraining>& training) {
  if (!training) return nullptr;
  const std::string& target = training->target;
  const std::size_t colon = std::min(target.find(':'), target.size());
  return {
      {"loss", training->loss},
      {"target", target.empty() ? ordered_json() : ordered_json(dims_in(target.substr(0, colon)))},
      {"target_type", colon < target.size() ? target.substr(colon + 1) : std::string()},
      {"optimizer", training->optimizer},
      {"learning_rate", or_null(training->learning_rate)},
      {"momentum", or_null(training->momentum)}};
}

}  // namespace

std::optional<ModelRecipe> recipe_for(const Item& item, const std::filesystem::path& folder,
                                      const std::filesystem::path& scratch) {
  const bool constructs = item.kind == Item::Kind::Python;
  if (!constructs && !item.training) return std::nullopt;
  ordered_json inputs = ordered_json::array();
  for (const auto& [name, shape] : item.inputs) inputs.push_back(name);
  const std::filesystem::path model = std::filesystem::absolute(folder / item.target);
  const ordered_json json = {{"jouletree_recipe", 1},
                             {"function", constructs ? item.target : std::string()},
                             {"file", constructs ? std::string() : model.string()},
                             {"arguments", item.arguments},
                             {"inputs", std::move(inputs)},
                             {"folder", std::filesystem::absolute(folder).string()},
                             {"seed", ProfileSettings{}.seed},
                             {"training", training_recipe(item.training)}};
  const std::filesystem::path file = scratch / "recipe.json";
  std::ofstream stream(file);
  stream << json.dump(-1, ' ', false, ordered_json::error_handler_t::replace);
  stream.close();
  if (!stream)
    throw Error(
        ErrorKind::Missing,
        file.string() + ": cannot be written; make space in the folder for temporary files");
  return ModelRecipe{file, constructs};
}

}  // namespace jouletree::campaign
