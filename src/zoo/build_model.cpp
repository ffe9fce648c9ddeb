#include "zoo/build_model.hpp"

#include <fmt/format.h>

#include "base/number_format.hpp"
#include "base/progress.hpp"
#include "base/replaced_file.hpp"
#include "jouletree/error.hpp"

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

void write_with_external_data(const ModelWriter& writer, const std::filesystem::path& path,
                              Progress& progress) {
  std::filesystem::path data_path = path;
  data_path += ".data";
  ReplacedFile model_file(path);
  ReplacedFile data_file(data_path);
  model::OnnxBuilder model = writer.graph();
  model::write_external(model, writer.weights(), data_path.filename().string(),
                        [&](std::string_view bytes) {
                          data_file.write(bytes);
                          progress.add(static_cast<std::int64_t>(bytes.size()));
                        });
  model::write_model(model, {}, [&](std::string_view bytes) { model_file.write(bytes); });
  data_file.commit();
  model_file.commit();
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
  if (built.has_external_data) {
    write_with_external_data(writer, file, progress);
  } else {
    write_in_one_file(writer, file, progress);
  }
  return built;
}

}  // namespace jouletree::zoo
