#include "model/pt2/reader.hpp"

#include <fmt/format.h>

#include "model/pt2/program_files.hpp"
#include "model/pt2/program_inputs.hpp"
#include "model/pt2/run_of_program.hpp"
#include "model/torchscript/graph_of_run.hpp"
#include "model/torchscript/run_notes.hpp"

namespace jouletree::model::pt2 {
namespace {

/// The newest schema that this reader was written for.
constexpr std::int64_t kSchemaMajor = 8;
constexpr std::int64_t kSchemaMinor = 20;

struct SchemaVersion {
  std::int64_t major = 0;
  std::int64_t minor = 0;
};

SchemaVersion schema_version(const dom::object& program) {
  const auto found = find_field(program, "schema_version");
  if (!found) refuse_field("the program", "has no 'schema_version'");
  SchemaVersion version;
  dom::object object;
  if (found->get(version.major) == simdjson::SUCCESS) return version;  // PyTorch 2.1.
  if (found->get(object) != simdjson::SUCCESS || !find_integer(object, "major"))
    refuse_field("'schema_version' of the program", "is no version");
  return {*find_integer(object, "major"), find_integer(object, "minor").value_or(0)};
}

std::string_view torch_version(const dom::object& program) {
  return find_text(program, "torch_version");
}

void check_version(const dom::object& program, std::vector<std::string>& notes) {
  const auto [major, minor] = schema_version(program);
  if (major > kSchemaMajor) {
    const std::string_view torch = torch_version(program);
    throw Error(
        ErrorKind::BadInput,
        fmt::format("its graph has schema version {}.{}{}, and JouleTree reads those up to {}; "
                    "install a newer JouleTree, or count the model in Python: "
                    "jouletree.inspect(torch.export.load(file))",
                    major, minor, torch.empty() ? "" : fmt::format(" (PyTorch {})", torch),
                    kSchemaMajor));
  }
  if (major == kSchemaMajor && minor > kSchemaMinor) {
    notes.push_back(
        fmt::format("the graph has schema version {}.{}, newer than the {}.{} that "
                    "JouleTree knows; what is new in it was left out",
                    major, minor, kSchemaMajor, kSchemaMinor));
  }
}

/// An archive while it is being read.
class OpenArchive {
 public:
  explicit OpenArchive(std::string_view archive)
      : files_(program_files(archive)),
        program_(parse_object(parser_, files_.program, archive, "the graph in it")),
        notes_(files_.notes) {
    check_version(program_, notes_);
    if (files_.weights.empty()) return;
    const dom::object config =
        parse_object(weights_parser_, files_.weights, archive, "the list of weights in it");
    weights_ = object_at(config, "config", "the list of weights");
  }

  [[nodiscard]] const dom::object& program() const { return program_; }
  [[nodiscard]] const std::optional<dom::object>& weights() const { return weights_; }
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }

 private:
  ProgramFiles files_;
  dom::parser parser_;
  dom::parser weights_parser_;
  dom::object program_;
  std::optional<dom::object> weights_;
  std::vector<std::string> notes_;
};

/// Open sizes keep their names.
void name_dims(SettledInputs settled, Graph& graph) {
  for (std::size_t i = 0; i < graph.main.inputs.size() && i < settled.dims.size(); ++i) {
    GraphValue& input = graph.values[graph.main.inputs[i]];
    for (std::size_t axis = 0; axis < settled.dims[i].size(); ++axis) {
      const DeclaredDim& dim = settled.dims[i][axis];
      if (axis >= input.declared_dims.size() || dim.symbol.empty()) continue;
      input.declared_dims[axis] = {kUnknownDim, graph.made_names.emplace_back(dim.symbol)};
    }
  }
  graph.size_hints = std::move(settled.hints);
}

}  // namespace

Graph read(std::string_view archive, const std::filesystem::path& path,
           const InputSettings& settings) try {
  const OpenArchive open(archive);
  SettledInputs settled = settle(program_inputs(open.program()), settings);
  const runtime::RecordedRun run =
      run_of(open.program(), open.weights(), SizeTable(settled.symbols));
  Graph graph = torchscript::graph_of(run);
  graph.path = path;
  graph.file_bytes = static_cast<std::int64_t>(archive.size());
  graph.producer_version = graph.made_names.emplace_back(torch_version(open.program()));
  graph.notes = open.notes();
  graph.notes.insert(graph.notes.end(), settled.notes.begin(), settled.notes.end());
  torchscript::note_idle_parameters(graph, graph.notes);
  name_dims(std::move(settled), graph);
  return graph;
} catch (const Error& error) {
  throw Error(error.kind(), fmt::format("{}: {}", path.string(), error.what()));
}

}  // namespace jouletree::model::pt2
