#include "cli/sweep_models.hpp"

#include <algorithm>
#include <cctype>
#include <memory>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "base/text_table.hpp"
#include "base/told_as.hpp"
#include "engines/checked_engine.hpp"
#include "engines/engine_list.hpp"
#include "jouletree/error.hpp"
#include "zoo/build_model.hpp"
#include "zoo/named_model.hpp"
#include "zoo/written_model.hpp"

namespace jouletree::cli {
namespace {

/// An engine with the folders that it and its model need.
struct EngineWithScratch {
  ScratchFolder scratch;
  std::optional<ScratchFolder> model;
  std::unique_ptr<engines::Engine> engine;
};

/// Whether the file tells of its inputs without PyTorch.
bool tells_inputs(const std::string& engine, const std::filesystem::path& file) {
  return engine == "onnxruntime" || file.extension() == ".pt2";
}

/// The side of the images of a format, for architectures that are written for one.
std::optional<Dim> image_size(const zoo::Settings& settings, const measure::SweepFormat& format) {
  const bool has_size = std::any_of(settings.all().begin(), settings.all().end(),
                                    [](const zoo::Setting& one) { return one.key == "size"; });
  const auto shape = format.inputs.shapes.find("input");
  if (!has_size || shape == format.inputs.shapes.end()) return std::nullopt;
  const Dims& dims = shape->second;
  const bool is_square_image = dims.size() == 4 && dims[2] == dims[3];
  return is_square_image ? std::optional(dims[3]) : std::nullopt;
}

/// Counting takes sizes that the file fixes otherwise; an engine does not.
void refuse_fixed_sizes(const Graph& graph, const measure::SweepFormat& format) {
  for (const ValueId id : graph.main.inputs) {
    const GraphValue& input = graph.values[id];
    const auto given = format.inputs.shapes.find(input.name);
    if (given == format.inputs.shapes.end()) continue;
    const std::size_t rank = std::min(given->second.size(), input.declared_dims.size());
    for (std::size_t axis = 0; axis < rank; ++axis) {
      const Dim fixed = input.declared_dims[axis].size;
      if (fixed == kUnknownDim || fixed == given->second[axis]) continue;
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: input '{}' has the fixed size {} on axis {} in this file, so it "
                              "cannot be {}; export the model with this axis open (dynamic)",
                              graph.path.string(), printable(input.name), fixed, axis,
                              given->second[axis]));
    }
  }
}

}  // namespace

SweepModels::SweepModels(const std::vector<std::string>& models,
                         const measure::Variation& variation, const InputSettings& fixed,
                         const EngineFlags& engine, std::uint64_t seed, std::function<void()> check)
    : engine_(engine), seed_(seed), check_(std::move(check)), several_(models.size() > 1) {
  for (const std::string& name : models) {
    zoo::refuse_unknown_name(name);
    add(name, variation, fixed);
  }
}

void SweepModels::add(const std::string& name, const measure::Variation& variation,
                      const InputSettings& fixed) {
  Source& source = sources_.emplace_back(name);
  const std::filesystem::path& file = source.model.file();
  const engines::ModelFile found = engines::model_file(file);
  source.engine = found.engine;
  if (!source.model.told_as().empty()) source.settings = zoo::written_model(name).settings;
  store::PlannedModel planned;
  planned.name = name;
  planned.folder = several_ ? folder_for(name) : ".";
  planned.bytes = found.bytes;
  with_errors_told_as(file, source.model.told_as().empty() ? std::string() : name, [&] {
    std::optional<Graph> graph;
    if (tells_inputs(source.engine, file)) graph = read_model(file, fixed);
    planned.formats = measure::formats_of(variation, fixed, graph ? &*graph : nullptr);
    // Sizes that do not fit are told now, and not after an hour.
    if (source.engine != "onnxruntime") return;
    for (const measure::SweepFormat& format : planned.formats.formats) {
      (void)infer(*graph, format.inputs);
      if (!source.settings || !image_size(*source.settings, format))
        refuse_fixed_sizes(*graph, format);
    }
  });
  planned_.push_back(std::move(planned));
}

std::string SweepModels::folder_for(const std::string& name) const {
  std::string folder = std::filesystem::path(name).stem().string();
  for (char& letter : folder) {
    const auto code = static_cast<unsigned char>(letter);
    const bool is_plain =
        std::isalnum(code) != 0 || letter == '-' || letter == '.' || letter == '_';
    if (!is_plain) letter = '-';
  }
  // Neither hidden nor a format.
  if (folder.empty() || folder.front() == '.' || folder.starts_with("input_"))
    folder = "model-" + folder;
  const auto is_taken = [&](const std::string& wanted) {
    return std::any_of(planned_.begin(), planned_.end(),
                       [&](const store::PlannedModel& other) { return other.folder == wanted; });
  };
  std::string free = folder;
  for (int i = 2; is_taken(free); ++i) free = fmt::format("{}-{}", folder, i);
  return free;
}

store::OpenedModel SweepModels::open(std::size_t model, const measure::SweepFormat& format) const {
  const Source& source = sources_[model];
  const auto opened = std::make_shared<EngineWithScratch>();
  engines::EngineOptions options;
  options.scratch = opened->scratch.path();
  options.threads = format.threads.value_or(engine_.threads);
  options.execution = engine_.execution;
  options.level = engine_.level;
  options.device = engine_.device;
  options.device_options = engine_.device_options();
  options.python = engine_.python;
  options.check = check_;
  opened->engine = engines::checked_engine(engines::open_engine(source.engine, options), check_);
  std::filesystem::path file = source.model.file();
  if (const auto size = source.settings ? image_size(*source.settings, format) : std::nullopt) {
    // The same architecture, written for images of this size.
    zoo::Settings settings = *source.settings;
    settings.set("size", *size);
    file = opened->model.emplace().path() / file.filename();
    zoo::build_model(*zoo::written_model(planned_[model].name).architecture, settings, 1, file);
  }
  // The engine ends before its folders go.
  return {std::shared_ptr<engines::Engine>(opened, opened->engine.get()),
          {file, format.inputs, {}, seed_, source.model.told_as()}};
}

}  // namespace jouletree::cli
