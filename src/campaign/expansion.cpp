#include "campaign/expansion.hpp"

#include <algorithm>
#include <functional>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_of.hpp"
#include "campaign/combinations.hpp"
#include "campaign/plan_fields.hpp"
#include "engines/engine_list.hpp"
#include "jouletree/error.hpp"
#include "model/operators/table.hpp"
#include "model/torchscript/archive.hpp"

namespace jouletree::campaign {
namespace {

/// Of all items, each as its text.
constexpr std::size_t kMostItemBytes = std::size_t{1} << 29U;
/// Less than a minute of reading. All models of NAS-Bench-201 together have half of them.
constexpr std::size_t kMostZooNodes = 8'000'000;

/// Where the plan has the sizes of a model, which may be its own.
std::string place_of_size(const std::string& name, const std::map<std::string, std::string>& places,
                          bool has_own, const PlannedModel& model) {
  const auto place = places.find(name);
  if (has_own || place == places.end()) return fmt::format("{}{}: ", model.place, name);
  return place->second;
}

/// Names that sizes can be given to.
struct Sizeable {
  std::set<std::string> inputs;
  std::set<std::string> dims;
};

/// Inputs that have a shape already need no dimension.
Sizeable sizeable_of(const Graph& graph, const Choices<PlannedShape>& given = {}) {
  Sizeable result;
  for (const ValueId id : graph.main.inputs) {
    const GraphValue& value = graph.values[id];
    if (value.constant) continue;
    result.inputs.emplace(value.name);
    const auto names_it = [&](const auto& input) { return input.first == value.name; };
    if (std::any_of(given.begin(), given.end(), names_it)) continue;
    for (const DeclaredDim& dim : value.declared_dims)
      if (!dim.symbol.empty()) result.dims.emplace(dim.symbol);
  }
  return result;
}

bool is_name(const std::string& size) {
  return size.find_first_not_of("0123456789") != std::string::npos;
}

void add_names(const PlannedShape& shape, std::set<std::string>& dims) {
  for (const std::string& size : shape.sizes)
    if (is_name(size)) dims.insert(size);
}

using Sizes = std::vector<std::pair<std::string, std::int64_t>>;

/// "8x3x64x64:int64". `place` is for errors.
std::string sized(const PlannedShape& shape, const Sizes& sizes, const std::string& place) {
  std::vector<std::string> numbers;
  for (const std::string& size : shape.sizes) {
    const auto found = std::find_if(sizes.begin(), sizes.end(),
                                    [&](const auto& dim) { return dim.first == size; });
    numbers.push_back(found == sizes.end() ? size : std::to_string(found->second));
    if (is_name(numbers.back()))
      throw Error(ErrorKind::BadInput, fmt::format("{}{} is neither a number nor a name under dims",
                                                   place, numbers.back()));
  }
  return fmt::format("{}{}{}", fmt::join(numbers, "x"), shape.type.empty() ? "" : ":", shape.type);
}

class Expander {
 public:
  explicit Expander(const Plan& plan) : plan_(plan) {}

  Expansion run() {
    for (const PlannedModel& model : plan_.models) add_model(model);
    for (const RandomOperators& row : plan_.random) add_operators(row);
    refuse_unused(plan_.dim_places, used_dims_, "a dimension");
    refuse_unused(plan_.input_places, used_inputs_, "an input");
    refuse_unknown_types();
    for (const auto& [reason, count] : left_out_)
      result_.notes.push_back(fmt::format(
          "{}: {}", number_of(count, "combination left out", "combinations left out"), reason));
    for (const std::string& sentence : plan_.done) result_.notes.push_back(sentence);
    for (const std::string& sentence : plan_.not_available)
      result_.notes.push_back("not available: " + sentence);
    if (result_.items.empty())
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: there is nothing to measure{}{}", plan_.file.string(),
                              result_.notes.empty() ? "" : ": ", fmt::join(result_.notes, "; ")));
    return std::move(result_);
  }

 private:
  void add_model(const PlannedModel& model) {
    Item item;
    item.target = model.target;
    if (model.kind == PlannedModel::Kind::File) item.kind = Item::Kind::File;
    if (model.kind == PlannedModel::Kind::Python) item.kind = Item::Kind::Python;
    const auto in_row = [&](const std::string& name) {
      const bool is_setting = model.kind == PlannedModel::Kind::Zoo;
      return fmt::format("{}{}: ", is_setting ? model.settings_place : model.place, name);
    };
    for (const auto& settings : combinations(model.settings, in_row)) {
      item.settings = settings;
      for (const auto& arguments : combinations(model.arguments, in_row)) {
        item.arguments = nlohmann::json::object();
        for (const auto& [name, value] : arguments) item.arguments[name] = value;
        add_sizes(model, item);
      }
    }
  }

  void add_sizes(const PlannedModel& model, Item item) {
    const Choices<PlannedShape>& inputs = model.inputs.empty() ? plan_.inputs : model.inputs;
    const Choices<std::int64_t>& dims = model.dims.empty() ? plan_.dims : model.dims;
    item.engine = engine_of(model, item);
    if (model.training && item.engine == "onnxruntime")
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}is for models that PyTorch runs; {} runs in ONNX Runtime",
                              model.training->place, model.target));
    const Sizeable sizeable = sizeable_in(model, item, inputs);
    const auto fitting = [](const auto& choices, const std::set<std::string>& names) {
      auto kept = choices;
      std::erase_if(kept, [&](const auto& choice) { return !names.contains(choice.first); });
      return kept;
    };
    for (const auto& [name, values] : model.dims)
      if (!sizeable.dims.contains(name)) fail_dim(model, name, sizeable);
    for (const auto& [name, values] : model.inputs) {
      if (!sizeable.inputs.contains(name))
        throw Error(ErrorKind::BadInput,
                    fmt::format("{}{} has no input {}; it has {}", model.place, model.target, name,
                                fmt::join(sizeable.inputs, ", ")));
    }
    const auto of_input = [&](const std::string& name) {
      return place_of_size(name, plan_.input_places, !model.inputs.empty(), model);
    };
    const auto of_dim = [&](const std::string& name) {
      return place_of_size(name, plan_.dim_places, !model.dims.empty(), model);
    };
    for (const auto& shapes : combinations(fitting(inputs, sizeable.inputs), of_input)) {
      for (const auto& sizes : combinations(fitting(dims, sizeable.dims), of_dim)) {
        put_sizes(shapes, sizes, item);
        if (item.engine != "onnxruntime") item.training = item_training(model, sizes);
        add_conditions(item);
      }
    }
    used_dims_.insert(sizeable.dims.begin(), sizeable.dims.end());
    used_inputs_.insert(sizeable.inputs.begin(), sizeable.inputs.end());
  }

  /// Without running PyTorch, all that is known of the inputs of its models are the shapes that the
  /// plan gives.
  [[nodiscard]] Sizeable sizeable_in(const PlannedModel& model, const Item& item,
                                     const Choices<PlannedShape>& inputs) {
    open_dims_.clear();
    if (states_inputs(item))
      if (const auto sizeable = sizeable_in_program(model, item, inputs)) return *sizeable;
    if (item.engine != "onnxruntime") {
      Sizeable result;
      for (const auto& [name, shapes] : inputs) {
        result.inputs.insert(name);
        for (const PlannedShape& shape : shapes) add_names(shape, result.dims);
      }
      const PlannedTraining* const training = planned_training(model);
      if (training != nullptr && training->target) add_names(*training->target, result.dims);
      if (inputs.empty())
        throw Error(ErrorKind::BadInput,
                    fmt::format("{}{} needs inputs, as inputs: {{x: 1x3x224x224}}", model.place,
                                model.target));
      return result;
    }
    try {
      if (item.kind == Item::Kind::Zoo) return sizeable_in_zoo(item);
      return sizeable_of_types(*graph_of(item, plan_.folder));
    } catch (const Error& error) {
      const std::string& place = model.settings.empty() ? model.place : model.settings_place;
      throw Error(error.kind(), fmt::format("{}{}", place, error.what()));
    }
  }

  [[nodiscard]] Sizeable sizeable_of_types(const Graph& graph) {
    for (const Node& node : graph.main.nodes) types_.emplace(node.op);
    return sizeable_of(graph);
  }

  /// A plan may name a model as often as it likes; it is made once.
  [[nodiscard]] const Sizeable& sizeable_in_zoo(const Item& item) {
    const auto [known, is_new] = zoo_models_.try_emplace(item.model_label());
    if (is_new) {
      const auto graph = graph_of(item, plan_.folder);
      zoo_nodes_ += graph->main.nodes.size();
      if (zoo_nodes_ > kMostZooNodes)
        throw Error(ErrorKind::BadInput,
                    "the models of the zoo in this plan have more than 8 million operators: give "
                    "fewer of them, or smaller ones");
      known->second = sizeable_of_types(*graph);
    }
    return known->second;
  }

  /// Nothing for a program that cannot be read here, but may run with the inputs of the plan.
  [[nodiscard]] std::optional<Sizeable> sizeable_in_program(const PlannedModel& model,
                                                            const Item& item,
                                                            const Choices<PlannedShape>& inputs) {
    try {
      Sizeable result = sizeable_of(read_model(plan_.folder / item.target, {}), inputs);
      open_dims_ = result.dims;
      for (const auto& [name, shapes] : inputs)
        for (const PlannedShape& shape : shapes)
          if (result.inputs.contains(name)) add_names(shape, result.dims);
      return result;
    } catch (const Error& error) {
      if (!inputs.empty()) return std::nullopt;
      throw Error(error.kind(), fmt::format("{}{}", model.place, error.what()));
    }
  }

  /// What torch.export wrote holds the shapes of its inputs, unlike all else that PyTorch runs.
  [[nodiscard]] bool states_inputs(const Item& item) const {
    return item.engine != "onnxruntime" && item.kind == Item::Kind::File &&
           model::torchscript::is_exported(plan_.folder / item.target);
  }

  [[nodiscard]] std::string engine_of(const PlannedModel& model, const Item& item) const {
    if (item.kind == Item::Kind::Python) return "torch";
    if (item.kind != Item::Kind::File) return "onnxruntime";
    try {
      return std::string(engines::model_file(plan_.folder / item.target).engine);
    } catch (const Error& error) {
      throw Error(error.kind(), fmt::format("{}{}", model.place, error.what()));
    }
  }

  void put_sizes(const std::vector<std::pair<std::string, PlannedShape>>& shapes,
                 const Sizes& sizes, Item& item) const {
    item.dims = sizes;
    item.inputs.clear();
    for (const auto& [name, shape] : shapes)
      item.inputs.emplace_back(
          name, sized(shape, sizes, fmt::format("{}: inputs.{}: ", plan_.file.string(), name)));
    if (item.engine == "onnxruntime") return;
    // The sizes stand in the shapes. A program needs those of its other inputs.
    std::erase_if(item.dims, [&](const auto& dim) { return !open_dims_.contains(dim.first); });
  }

  /// Null where the plan says nothing of it.
  [[nodiscard]] const PlannedTraining* planned_training(const PlannedModel& model) const {
    if (model.training) return &*model.training;
    return plan_.training ? &*plan_.training : nullptr;
  }

  [[nodiscard]] ItemTraining item_training(const PlannedModel& model, const Sizes& sizes) const {
    const PlannedTraining* const planned = planned_training(model);
    if (planned == nullptr) return {};
    ItemTraining training;
    training.loss = planned->loss;
    if (planned->target)
      training.target = sized(*planned->target, sizes, planned->place + "target: ");
    training.optimizer = planned->optimizer;
    training.learning_rate = planned->learning_rate;
    training.momentum = planned->momentum;
    return training;
  }

  void add_operators(const RandomOperators& row) {
    for (DrawnOperator& drawn : draw_operators(row)) {
      Item item;
      item.kind = Item::Kind::Operator;
      item.target = drawn.label;
      item.one = std::move(drawn.one);
      item.engine = "onnxruntime";
      add_conditions(item);
    }
  }

  /// Those that are left out afterwards are counted, too: a list may have a value as often as it
  /// likes.
  void count_conditions() {
    std::size_t conditions = 1;
    for (const std::size_t values : {plan_.devices.size(), plan_.threads.size(), plan_.modes.size(),
                                     plan_.levels.size(), plan_.caches.size()}) {
      conditions *= values;
      if (combinations_ + conditions > kMostItems) fail_as_too_many();
    }
    combinations_ += conditions;
  }

  void add_conditions(Item item) {
    count_conditions();
    item.precision = plan_.precision;
    if (plan_.budget) item.budget_s = plan_.budget->count();
    // Of an operator alone, most may be the engine around it.
    if (item.kind != Item::Kind::Operator) item.target_share = plan_.target;
    item.baseline_s = plan_.baseline.count();
    item.modules = plan_.modules;
    item.include = plan_.include;
    item.leave_out = plan_.leave_out;
    item.python = plan_.python;
    const std::optional<ItemTraining> training = item.training;
    for (const std::string& device : plan_.devices) {
      for (const int threads : plan_.threads) {
        for (const std::string& mode : plan_.modes) {
          for (const std::string& level : plan_.levels) {
            for (const std::string& cache : plan_.caches) {
              item.device = device;
              item.threads = threads;
              item.mode = mode;
              item.training = mode == "training" ? training : std::nullopt;
              item.level = level;
              item.cache = cache;
              add(item);
            }
          }
        }
      }
    }
  }

  void add(const Item& item) {
    const auto& engines = plan_.engines;
    if (!engines.empty() && std::find(engines.begin(), engines.end(), item.engine) == engines.end())
      return leave_out(
          fmt::format("these models run in {}, which engines does not name", item.engine));
    if (item.mode == "training" && item.engine == "onnxruntime")
      return leave_out(
          "ONNX Runtime runs models for inference; PyTorch trains those of Python functions and "
          "TorchScript files");
    if (item.mode == "training" && item.kind == Item::Kind::File &&
        model::torchscript::is_exported(plan_.folder / item.target))
      return leave_out(
          "programs of torch.export run for inference; name a function that makes "
          "the model to train it");
    if (item.engine != "onnxruntime" && item.level != plan_.levels.front())
      return leave_out("levels are for ONNX Runtime");
    const auto [spec, is_new] = seen_.insert(item.spec());
    if (!is_new) return leave_out("the plan has them twice; they are measured once");
    item_bytes_ += spec->size();
    if (item_bytes_ > kMostItemBytes) fail_as_too_many();
    result_.items.push_back(item);
    if (item.engine != "onnxruntime") result_.items.back().level = "all";
  }

  void leave_out(const std::string& reason) { ++left_out_[reason]; }

  [[noreturn]] void fail_as_too_many() const {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: gives more than a million items, or larger ones than fit into "
                            "memory: give shorter lists",
                            plan_.file.string()));
  }

  [[noreturn]] void fail_dim(const PlannedModel& model, const std::string& name,
                             const Sizeable& sizeable) const {
    throw Error(
        ErrorKind::BadInput,
        fmt::format(
            "{}{} has no dimension {}; it has {}", model.place, model.target, name,
            sizeable.dims.empty() ? "none" : fmt::format("{}", fmt::join(sizeable.dims, ", "))));
  }

  /// `places` says where the plan names them, `there` which ones the models have.
  static void refuse_unused(const std::map<std::string, std::string>& places,
                            const std::set<std::string>& there, const char* what) {
    for (const auto& [name, place] : places) {
      if (there.contains(name)) continue;
      const std::string known = there.empty() ? "none" : fmt::format("{}", fmt::join(there, ", "));
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}no model has {} of this name; there are {}", place, what, known));
    }
  }

  /// Types of the user's own are known where a model has them.
  void refuse_unknown_types() const {
    std::set<std::string_view> known(types_.begin(), types_.end());
    for (const model::OperatorRow& row : model::operator_rows()) known.insert(row.op);
    const std::vector<std::string_view> names(known.begin(), known.end());
    const bool runs_torch =
        std::any_of(result_.items.begin(), result_.items.end(),
                    [](const Item& item) { return item.engine != "onnxruntime"; });
    for (const auto& [type, place] : plan_.type_places) {
      if (known.contains(type)) continue;
      const std::string likely = meant_name(type, names);
      // Those of PyTorch's models are not known before they run.
      if (likely.empty() && runs_torch) continue;
      const std::string advice = likely.empty() ? "" : fmt::format("; did you mean {}?", likely);
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}there is no type of operators '{}'{}", place, type, advice));
    }
  }

  const Plan& plan_;
  Expansion result_;
  std::set<std::string> seen_;
  std::size_t combinations_ = 0;  ///< With those that are left out.
  std::size_t item_bytes_ = 0;
  std::set<std::string> used_dims_;
  std::set<std::string> used_inputs_;
  std::set<std::string> types_;  ///< Of operators in the models.
  std::map<std::string, Sizeable> zoo_models_;
  std::size_t zoo_nodes_ = 0;  ///< Of all of them.
  /// Of the model at hand, where PyTorch runs it: those that do not stand in the plan's shapes.
  std::set<std::string> open_dims_;
  std::map<std::string, std::size_t> left_out_;
};

}  // namespace

Expansion expand(const Plan& plan) { return Expander(plan).run(); }

}  // namespace jouletree::campaign
