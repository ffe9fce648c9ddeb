#include "campaign/trial.hpp"

#include <set>
#include <tuple>

#include <fmt/format.h>

#include "base/scratch_folder.hpp"
#include "base/told_as.hpp"
#include "campaign/recipe.hpp"
#include "campaign/run_item.hpp"
#include "engines/engine_list.hpp"
#include "jouletree/error.hpp"
#include "zoo/single_operator.hpp"

namespace jouletree::campaign {
namespace {

Item smallest_item() {
  Item item;
  item.kind = Item::Kind::Operator;
  item.one = zoo::smallest_operator();
  item.target = item.one.op;
  return item;
}

/// Throws Error where the item would fail before anything is measured.
void try_item(const Item& item, const Plan& plan, const std::function<void()>& check) {
  const ScratchFolder scratch;
  engines::EngineOptions options;
  options.scratch = scratch.path();
  options.threads = item.threads;
  options.device = item.device;
  options.check = check;
  if (item.engine == "torch") {
    options.python = item.python;
    options.recipe = recipe_for(item, plan.folder, scratch.path());
    const auto engine = engines::open_engine(item.engine, options);
    if (item.kind == Item::Kind::File) (void)engine->serve(plan.folder / item.target);
    return;
  }
  const std::filesystem::path file = model_file_of(smallest_item(), plan.folder, scratch.path());
  with_errors_told_as(file, "device " + item.device, [&] {
    (void)engines::open_engine(item.engine, options)->load({file, {}, {}});
  });
}

}  // namespace

std::vector<std::string> trial_of(const Plan& plan, const Expansion& expansion,
                                  const std::function<void()>& check) {
  std::vector<std::string> problems;
  std::set<std::tuple<std::string, std::string, std::string>> tried;
  for (const Item& item : expansion.items) {
    const bool is_function = item.kind == Item::Kind::Python;
    if (!is_function && item.device == "cpu") continue;
    std::string model = item.engine == "torch" ? item.target : std::string();
    if (is_function)
      for (const auto& [name, shape] : item.inputs) model += " " + name;
    if (!tried.emplace(item.engine, item.device, model).second) continue;
    try {
      try_item(item, plan, check);
    } catch (const Error& error) {
      problems.push_back(fmt::format("{}: {}", item.label(), error.what()));
    } catch (const engines::EngineLost& lost) {
      problems.push_back(fmt::format("{}: {}", item.label(), lost.what()));
    }
  }
  return problems;
}

}  // namespace jouletree::campaign
