#include "zoo/build_model.hpp"

#include <array>
#include <set>
#include <system_error>

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "base/progress.hpp"
#include "base/replaced_file.hpp"
#include "jouletree/error.hpp"
#include "jouletree/graph.hpp"

namespace jouletree::zoo {
namespace {

bool is_statistic(const std::string& weight) {
  return weight.ends_with(".running_mean") || weight.ends_with(".running_var");
}

BuiltModel sum_up(const ModelWriter& writer) {
  BuiltModel built;
  for (const model::StreamedTensor& weight : writer.weights()) {
    built.weight_bytes += weight.bytes();
    if (!is_statistic(weight.name)) built.parameters += elements_of(weight.dims).value();
  }
  built.has_external_data = built.weight_bytes > kLargestInOneFile;
  return built;
}

/// Better before the work than after minutes of writing.
void check_space(const std::filesystem::path& file, std::size_t bytes) {
  std::error_code unknown;
  const auto folder = file.has_parent_path() ? file.parent_path() : std::filesystem::path(".");
  const auto space = std::filesystem::space(folder, unknown);
  if (unknown || space.available >= bytes) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: needs {}, but only {} are free on its disk", file.string(),
                          shortened_bytes(static_cast<double>(bytes)),
                          shortened_bytes(static_cast<double>(space.available))));
}

void write_in_one_file(const ModelWriter& writer, const std::filesystem::path& path,
                       Progress& progress) {
  ReplacedFile file(path);
  model::write_model(writer.graph(), writer.weights(), [&](std::string_view bytes) {
    file.write(bytes);
    progress.add(static_cast<std::int64_t>(bytes.size()));
  });
  file.commit();
}

constexpr std::array kDataSuffixes = {".data", ".data2"};

/// The files in which the weights of the model are that stands there already.
std::set<std::string> data_of(const std::filesystem::path& path) {
  std::set<std::string> names;
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return names;
  try {
    const Graph graph = read_onnx(path);
    for (const auto& [file, bytes] : graph.external_files) names.insert(file.string());
  } catch (const Error&) {
    return names;  // It is no model, and has no data.
  }
  return names;
}

std::string free_data_name(const std::filesystem::path& path, const std::set<std::string>& older) {
  const std::string model = path.filename().string();
  const std::string usual = model + kDataSuffixes[0];
  return older.contains(usual) ? model + kDataSuffixes[1] : usual;
}

void write_with_external_data(const ModelWriter& writer, const std::filesystem::path& path,
                              const std::set<std::string>& older, Progress& progress) {
  const std::filesystem::path data_path = path.parent_path() / free_data_name(path, older);
  ReplacedFile model_file(path);
  ReplacedFile data_file(data_path);
  model::OnnxBuilder model = writer.graph();
  model::write_external(model, writer.weights(), data_path.filename().string(),
                        [&](std::string_view bytes) {
                          data_file.write(bytes);
                          progress.add(static_cast<std::int64_t>(bytes.size()));
                        });
  model::write_model(model, {}, [&](std::string_view bytes) { model_file.write(bytes); });
  // Before one of them has a name, both are on the disk.
  model_file.sync();
  // The older model keeps its data until the new one has taken its place.
  data_file.commit();
  try {
    model_file.commit();
  } catch (const Error&) {
    std::error_code ignored;
    std::filesystem::remove(data_path, ignored);
    throw;
  }
}

/// What only an older model of this name read.
void remove_older_data(const std::filesystem::path& path, const std::set<std::string>& older) {
  const std::set<std::string> now = data_of(path);
  for (const char* const suffix : kDataSuffixes) {
    const std::string name = path.filename().string() + suffix;
    std::error_code ignored;
    if (older.contains(name) && !now.contains(name))
      std::filesystem::remove(path.parent_path() / name, ignored);
  }
}

}  // namespace

BuiltModel build_model(const Architecture& architecture, const Settings& settings,
                       std::uint64_t seed, const std::filesystem::path& file) {
  ModelWriter writer(seed);
  architecture.write(writer, settings);
  return build_model(writer, file);
}

BuiltModel build_model(const ModelWriter& writer, const std::filesystem::path& file) {
  const BuiltModel built = sum_up(writer);
  check_space(file, built.weight_bytes);
  Progress progress("writing " + file.string(), static_cast<std::int64_t>(built.weight_bytes));
  const std::set<std::string> older = data_of(file);
  if (built.has_external_data) {
    write_with_external_data(writer, file, older, progress);
  } else {
    write_in_one_file(writer, file, progress);
  }
  remove_older_data(file, older);
  return built;
}

}  // namespace jouletree::zoo
