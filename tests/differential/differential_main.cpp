// Compares inferred shapes with those of ONNX Runtime, kernel by kernel.
//   differential model MANIFEST FOLDER NAME   one model of the manifest
//   differential open MANIFEST FOLDER NAME    the same with sizes that JouleTree chooses by itself
//   differential optimised MANIFEST FOLDER NAME   the same after the engine's own fusions
//   differential scopes MANIFEST FOLDER NAME   whether its operators are in the file's modules
//   differential expected MANIFEST FOLDER NAME   whether its operators after the engine's fusions
//   are those that predictions expect
//   differential expected-file FILE...   the same for any files
//   differential suite FOLDER LEAST           every model.onnx with its test data below a folder
//   differential operators [TITLE]            models of single operators, or those so titled
//   differential facts [TITLE]                where their results lie, and further facts of the
//   table
#include <algorithm>
#include <fstream>
#include <iostream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "compare.hpp"
#include "data_dependent.hpp"
#include "expected_graph.hpp"
#include "jouletree/inference.hpp"
#include "operator_facts.hpp"
#include "operator_models.hpp"
#include "optimised_model.hpp"
#include "scope_shares.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::test {
namespace {

using Json = nlohmann::json;

std::string counts_text(const std::map<std::string, std::int64_t>& counts) {
  std::vector<std::string> parts;
  parts.reserve(counts.size());
  for (const auto& [op, count] : counts) parts.push_back(fmt::format("{}×{}", op, count));
  return parts.empty() ? "none" : fmt::format("{}", fmt::join(parts, ", "));
}

enum class Form { AsWritten, Optimised, OpenSizes };

/// The shapes that a user gets who sets none.
std::map<std::string, std::vector<std::int64_t>> chosen_shapes(const std::filesystem::path& model) {
  std::map<std::string, std::vector<std::int64_t>> shapes;
  const Inference inference = infer(read_onnx(model), {});
  for (const InputShape& input : inference.inputs) {
    if (!input.dims) throw std::runtime_error("input " + input.name + " has no shape");
    std::vector<std::int64_t>& shape = shapes[input.name];
    for (const InputDim& dim : *input.dims) shape.push_back(dim.size);
    std::cout << fmt::format("{}: {}\n", input.name, to_string(input));
  }
  return shapes;
}

Json entry_of(const std::filesystem::path& manifest, const std::string& name) {
  std::ifstream stream(manifest);
  const Json models = Json::parse(stream).at("models");
  const auto entry = std::find_if(models.begin(), models.end(), [&](const Json& model) {
    return model.value("name", model.at("file")) == name;
  });
  if (entry == models.end()) throw std::runtime_error("the manifest has no " + name);
  return *entry;
}

InputRequest request_of(const Json& entry) {
  InputRequest request;
  request.shapes = entry.value("inputs", decltype(request.shapes)());
  request.dims = entry.value("dims", decltype(request.dims)());
  request.values = entry.value("values", decltype(request.values)());
  return request;
}

int run_scopes(const std::filesystem::path& manifest, const std::filesystem::path& folder,
               const std::string& name) {
  const Json entry = entry_of(manifest, name);
  const std::string file = entry.at("file");
  const InputRequest request = request_of(entry);
  const auto inputs = random_inputs(folder / file, request);
  const ScopeShares shares =
      scope_shares(folder / file, settings_for(inputs, request.values, Knowledge::Shapes));
  constexpr double kLeast = 0.99;
  const double least = entry.value("least_scope_share", kLeast);
  int failed = 0;
  for (const DepthShare& depth : shares.depths) {
    const bool good = depth.macs >= least;
    failed += good ? 0 : 1;
    std::cout << fmt::format("depth {}: {:.2f} % of the MACs lie in the {} modules of the file{}\n",
                             depth.depth, 100 * depth.macs, depth.modules,
                             good ? "" : ", which is too little; " + depth.worst);
  }
  std::cout << fmt::format("{} of {} nodes stand elsewhere than their names say\n",
                           shares.misplaced.size(), shares.nodes);
  for (const std::string& line : shares.misplaced) std::cout << "  " << line << '\n';
  const auto misplaced = static_cast<double>(shares.misplaced.size());
  if (misplaced > (1 - least) * static_cast<double>(shares.nodes)) ++failed;
  // Blocks of channels that are not full make the same operator move up to twice as much.
  const double more = shares.root_bytes_in_engine - 2 * shares.root_bytes_in_file;
  std::cout << fmt::format(
      "bytes outside of modules: {:.2f} % in the file, {:.2f} % in the engine\n",
      100 * shares.root_bytes_in_file, 100 * shares.root_bytes_in_engine);
  if (more > 1 - least) {
    ++failed;
    for (const std::string& line : shares.at_the_root) std::cout << "  " << line << '\n';
  }
  return failed == 0 ? 0 : 1;
}

int run_model(const std::filesystem::path& manifest, const std::filesystem::path& folder,
              const std::string& name, Form form) {
  const Json entry = entry_of(manifest, name);
  const std::string file = entry.at("file");
  InputRequest request = request_of(entry);
  if (form == Form::OpenSizes) {
    request.shapes = chosen_shapes(folder / file);
    request.dims.clear();
  }
  const bool optimised = form == Form::Optimised;
  const auto inputs = random_inputs(folder / file, request);
  const TempFolder temp;
  if (optimised) write_optimised_model(folder / file, temp.path() / file);
  const auto path = (optimised ? temp.path() : folder) / file;
  const Comparison result = compare_with_engine(path, inputs, request.values, Knowledge::Shapes);
  for (const std::string& difference : result.differences) std::cout << difference << '\n';
  std::cout << fmt::format(
      "{}: {} kernels, {} shapes equal, open: {}, no rule: {}, not reported: {}\n", name,
      result.kernels, result.equal_shapes, counts_text(result.open),
      counts_text(result.without_rule), counts_text(result.not_reported));
  const bool open_is_expected = entry.value("data_dependent", false) || result.open.empty();
  if (!open_is_expected) {
    std::cout << "shapes were left open in a model that decides none by data\n";
  }
  const bool complete = open_is_expected && result.without_rule.empty();
  return result.differences.empty() && complete && result.equal_shapes > 0 ? 0 : 1;
}

bool print_expected(const std::string& name, const std::filesystem::path& file,
                    const InputSettings& settings, int allowed) {
  const ExpectedGraph graph = compare_expected_graph(file, settings);
  std::cout << fmt::format(
                   "{}: {} operators expected, {} made, {} differ by kind, {} by shapes\n{}", name,
                   graph.expected, graph.made, graph.differing_kinds(), graph.differing_shapes(),
                   differences_text(graph))
            << std::flush;
  return graph.differing_shapes() <= allowed;
}

/// The manifest says how many may differ.
int run_expected(const std::filesystem::path& manifest, const std::filesystem::path& folder,
                 const std::string& name) {
  const Json entry = entry_of(manifest, name);
  const std::string file = entry.at("file");
  const InputRequest request = request_of(entry);
  const InputSettings settings =
      settings_for(random_inputs(folder / file, request), request.values, Knowledge::Shapes);
  return print_expected(name, folder / file, settings, entry.value("unexpected_operators", 0)) ? 0
                                                                                               : 1;
}

int run_expected_files(const std::vector<std::string>& files) {
  int failed = 0;
  for (const std::string& file : files) {
    try {
      if (!print_expected(std::filesystem::path(file).stem().string(), file, {}, 0)) ++failed;
    } catch (const std::exception& error) {
      ++failed;
      std::cout << fmt::format("{}: {}\n", file, error.what());
    }
  }
  return failed == 0 ? 0 : 1;
}

std::vector<std::filesystem::path> suite_models(const std::filesystem::path& folder) {
  std::vector<std::filesystem::path> models;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
    if (entry.path().filename() == "model.onnx") models.push_back(entry.path());
  std::sort(models.begin(), models.end());
  return models;
}

/// JouleTree counts no model with empty inputs, unless the file says so or they are caches.
bool is_refused_as_empty(const Comparison& result) {
  return result.differences.size() == 1 &&
         result.differences[0].find("only a cache can be empty") != std::string::npos;
}

int run_suite(const std::filesystem::path& folder, std::int64_t least) {
  std::int64_t compared = 0;
  std::int64_t refused = 0;
  std::int64_t failed = 0;
  std::int64_t shapes = 0;
  std::map<std::string, std::int64_t> open;
  std::map<std::string, std::int64_t> without_rule;
  std::map<std::string, std::int64_t> not_reported;
  for (const auto& model : suite_models(folder)) {
    const std::string name = model.parent_path().filename().string();
    Comparison result;
    try {
      const auto inputs = read_test_data_set(model, model.parent_path() / "test_data_set_0");
      result = compare_with_engine(model, inputs, {}, Knowledge::Contents);
    } catch (const std::exception& error) {
      ++refused;
      std::cerr << fmt::format("not run: {}: {}\n", name, error.what());
      continue;
    }
    if (is_refused_as_empty(result)) {
      ++refused;
      std::cerr << fmt::format("not run: {}: {}\n", name, result.differences[0]);
      continue;
    }
    ++compared;
    shapes += result.equal_shapes;
    for (const auto& [op, count] : result.open) open[op] += count;
    for (const auto& [op, count] : result.without_rule) without_rule[op] += count;
    for (const auto& [op, count] : result.not_reported) not_reported[op] += count;
    if (result.differences.empty()) continue;
    ++failed;
    for (const std::string& difference : result.differences)
      std::cout << fmt::format("{}: {}\n", name, difference);
  }
  std::cout << fmt::format(
      "{} models compared, {} not run, {} with differences; {} shapes equal\nopen: {}\nno rule: "
      "{}\nnot reported: {}\n",
      compared, refused, failed, shapes, counts_text(open), counts_text(without_rule),
      counts_text(not_reported));
  std::vector<std::string> unexpected;
  for (const auto& [op, count] : open)
    if (!decides_shapes_by_data(op)) unexpected.push_back(op);
  if (!unexpected.empty())
    std::cout << fmt::format("left open without need: {}\n", fmt::join(unexpected, ", "));
  return failed == 0 && unexpected.empty() && compared >= least ? 0 : 1;
}

/// What is wrong with a comparison that should be complete.
std::vector<std::string> complaints(const Comparison& result) {
  std::vector<std::string> sentences = result.differences;
  for (const auto& [op, count] : result.open)
    if (!decides_shapes_by_data(op)) sentences.push_back(op + ": its shapes were left open");
  for (const auto& [op, count] : result.without_rule)
    sentences.push_back(op + ": no row in the operator table");
  for (const auto& [op, count] : result.not_reported)
    sentences.push_back(op + ": the engine replaced it");
  if (sentences.empty() && result.equal_shapes == 0 && result.open.empty())
    sentences.emplace_back("no shape was compared");
  return sentences;
}

int run_operators(std::string_view title) {
  const TempFolder temp;
  std::set<std::string_view> operators;
  std::int64_t models = 0;
  std::int64_t failed = 0;
  std::int64_t shapes = 0;
  const OperatorModels list = operator_models();
  for (const OperatorModel& model : list.all()) {
    if (model.title().find(title) == std::string::npos) continue;
    ++models;
    operators.insert(model.op());
    std::vector<std::string> problems;
    try {
      const auto path = temp.write("model.onnx", model.bytes());
      const Comparison result = compare_with_engine(path, random_inputs(path, model.request()),
                                                    model.request().values, Knowledge::Contents);
      shapes += result.equal_shapes;
      problems = complaints(result);
    } catch (const std::exception& error) {
      problems.emplace_back(error.what());
    }
    if (problems.empty()) continue;
    ++failed;
    std::cout << fmt::format("{}: {}\n", model.title(), fmt::join(problems, "; ")) << std::flush;
  }
  std::cout << fmt::format(
      "{} operators compared in {} models, {} with problems; {} shapes equal\n", operators.size(),
      models, failed, shapes);
  return models > 0 && failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace jouletree::test

int main(int argc, char** argv) try {
  using jouletree::test::Form;
  const std::vector<std::string> arguments(argv + 1, argv + argc);
  if (arguments.size() == 4 && arguments[0] == "model")
    return jouletree::test::run_model(arguments[1], arguments[2], arguments[3], Form::AsWritten);
  if (arguments.size() == 4 && arguments[0] == "open")
    return jouletree::test::run_model(arguments[1], arguments[2], arguments[3], Form::OpenSizes);
  if (arguments.size() == 4 && arguments[0] == "optimised")
    return jouletree::test::run_model(arguments[1], arguments[2], arguments[3], Form::Optimised);
  if (arguments.size() == 4 && arguments[0] == "scopes")
    return jouletree::test::run_scopes(arguments[1], arguments[2], arguments[3]);
  if (arguments.size() == 4 && arguments[0] == "expected")
    return jouletree::test::run_expected(arguments[1], arguments[2], arguments[3]);
  if (arguments.size() >= 2 && arguments[0] == "expected-file")
    return jouletree::test::run_expected_files({arguments.begin() + 1, arguments.end()});
  if (arguments.size() == 3 && arguments[0] == "suite")
    return jouletree::test::run_suite(arguments[1], std::stoll(arguments[2]));
  if (!arguments.empty() && arguments.size() <= 2 && arguments[0] == "operators")
    return jouletree::test::run_operators(arguments.size() == 2 ? arguments[1] : "");
  if (!arguments.empty() && arguments.size() <= 2 && arguments[0] == "facts")
    return jouletree::test::operator_facts_hold(arguments.size() == 2 ? arguments[1] : "") ? 0 : 1;
  std::cerr << "usage: differential model MANIFEST FOLDER NAME\n"
               "       differential open MANIFEST FOLDER NAME\n"
               "       differential optimised MANIFEST FOLDER NAME\n"
               "       differential scopes MANIFEST FOLDER NAME\n"
               "       differential expected MANIFEST FOLDER NAME\n"
               "       differential expected-file FILE...\n"
               "       differential suite FOLDER LEAST\n"
               "       differential operators [TITLE]\n"
               "       differential facts [TITLE]\n";
  return 2;
} catch (const std::exception& error) {
  std::cerr << "differential: " << error.what() << '\n';
  return 1;
}
