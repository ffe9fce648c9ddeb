#include "engines/onnxruntime/opened_bodies.hpp"

#include <algorithm>
#include <optional>

#include "base/mapped_file.hpp"
#include "engines/onnxruntime/scratch_file.hpp"

namespace jouletree::engines {
namespace {

using runtime::OnnxRuntimeWorker;
using runtime::SeenValues;

/// Deeper nesting is nobody's model; the reader has a limit of its own.
constexpr int kMostLevels = 64;

std::optional<bool> flag_of(const SeenValues& values, const std::string& name) {
  const auto value = values.find(name);
  return value == values.end() ? std::nullopt : value->second.flag;
}

std::optional<std::int64_t> iterations_of(const SeenValues& values,
                                          const FlatModel::Repetition& loop) {
  const auto value = values.find(seen_name(loop.counter));
  if (value == values.end() || !value->second.type.dims) return std::nullopt;
  const Dims& dims = *value->second.type.dims;
  const std::size_t axis = loop.axis_from_end ? dims.size() - loop.axis : loop.axis;
  return axis < dims.size() ? std::optional(dims[axis]) : std::nullopt;
}

FlatModel::Origin origin_of(const Node& node, const Graph& flat, const OpenedBodies& opened) {
  for (const ValueId output : node.outputs) {
    if (output == kNoValue) continue;
    const auto found = opened.origins.find(flat.values[output].name);
    return found == opened.origins.end() ? FlatModel::Origin() : found->second;
  }
  return {};
}

/// Opens the bodies of the main graph level by level.
class Opener {
 public:
  Opener(OnnxRuntimeWorker& worker, std::string_view model, std::filesystem::path probe)
      : worker_(worker), flat_(model), probe_(std::move(probe)) {}

  /// False where there is nothing more to open.
  bool open_one_level(OpenedBodies& opened) {
    const std::vector<FlatModel::Choice> choices = flat_.choices();
    const std::vector<FlatModel::Repetition> loops = flat_.repetitions();
    if (choices.empty() && loops.empty()) return false;
    write_file(probe_, flat_.with_probes());
    const SeenValues values = worker_.record(probe_);
    for (const auto& [name, value] : values)
      if (value.flag) opened.flags.emplace(name, *value.flag);
    const std::size_t before = opened.branches.size() + opened.loops.size();
    // From the last to the first, so that places of the others stay valid.
    auto choice = choices.rbegin();
    auto loop = loops.rbegin();
    while (choice != choices.rend() || loop != loops.rend()) {
      const bool loop_is_next =
          loop != loops.rend() && (choice == choices.rend() || loop->at > choice->at);
      if (loop_is_next) {
        take(*loop++, values, opened);
      } else {
        take(*choice++, values, opened);
      }
    }
    return opened.branches.size() + opened.loops.size() > before;
  }

  [[nodiscard]] const FlatModel& flat() const { return flat_; }

 private:
  void take(const FlatModel::Choice& choice, const SeenValues& values, OpenedBodies& opened) {
    const auto then = flag_of(values, seen_name(choice.condition));
    if (!then) return;
    flat_.take_branch(choice, *then);
    opened.branches[choice.output] = *then;
  }

  void take(const FlatModel::Repetition& loop, const SeenValues& values, OpenedBodies& opened) {
    const auto iterations = iterations_of(values, loop);
    if (iterations == 0) opened.idle_loops[loop.output] = {};
    if (!iterations || *iterations < 1) return;
    // What grows from iteration to iteration is as large as on average in the middle.
    const std::int64_t middle = *iterations / 2;
    flat_.take_iteration(loop, *iterations, middle);
    opened.loops[loop.output] = {*iterations, middle};
  }

  OnnxRuntimeWorker& worker_;
  FlatModel flat_;
  std::filesystem::path probe_;
};

/// Throws where the engine does not run what was made of the model.
OpenedBodies open_all(OnnxRuntimeWorker& worker, std::string_view model,
                      const std::filesystem::path& folder, OpenedBodies opened) {
  Opener opener(worker, model, folder / "probes.onnx");
  for (int level = 0; level < kMostLevels; ++level)
    if (!opener.open_one_level(opened)) break;
  if (!opened.any()) return opened;
  opened.origins = opener.flat().origins();
  opened.model = folder / "flat.onnx";
  write_file(opened.model, opener.flat().bytes());
  (void)worker.record(opened.model);
  return opened;
}

}  // namespace

OpenedBodies open_bodies(OnnxRuntimeWorker& worker, const std::filesystem::path& model,
                         const std::filesystem::path& folder) {
  OpenedBodies opened;
  opened.model = model;
  const MappedFile file(model);
  if (!has_bodies(file.bytes())) return opened;
  try {
    return open_all(worker, file.bytes(), folder, opened);
  } catch (const Error& error) {
    opened.failure = error.what();
  } catch (const runtime::WorkerLost& lost) {
    opened.failure = lost.what();
  }
  return opened;
}

void remove_nodes_aside(const OpenedBodies& opened, const CutInputs& recorded, Graph& flat) {
  auto& nodes = flat.main.nodes;
  const auto aside = std::remove_if(nodes.begin(), nodes.end(), [&](const Node& node) {
    return origin_of(node, flat, opened).stands_aside;
  });
  if (aside == nodes.end()) return;
  nodes.erase(aside, nodes.end());
  flat.recorded = true;
  for (GraphValue& value : flat.values) {
    const auto type = recorded.find(value.name);
    if (!value.constant && type != recorded.end()) value.declared = type->second;
  }
}

Inference with_runs_of_loops(Inference once, const OpenedBodies& opened, const Graph& flat) {
  for (const Node& node : flat.main.nodes) {
    const std::int64_t runs = origin_of(node, flat, opened).runs;
    if (runs == 1) continue;
    NodeResult& result = once.nodes[node.id];
    result.runs = result.runs * Count(runs);
    result.work = result.work * Count(runs);
  }
  return once;
}

}  // namespace jouletree::engines
