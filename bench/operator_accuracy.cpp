// How well operators are predicted that a predictor has not seen, per class of operator, by the
// ledger, by a random forest and by NeuralPower's polynomials on the same folds.
//   operator_accuracy OPERATORS.csv MODEL_OP_COUNTS.csv [METHOD ...]
#include <cmath>
#include <cstdio>
#include <iostream>
#include <map>
#include <set>

#include <fmt/format.h>

#include "base/csv.hpp"
#include "base/mapped_file.hpp"
#include "base/text_table.hpp"
#include "jouletree/error.hpp"
#include "jouletree/operator_csv.hpp"
#include "predict/fitted.hpp"

namespace {

using namespace jouletree;           // NOLINT(google-build-using-namespace)
using namespace jouletree::predict;  // NOLINT(google-build-using-namespace)

constexpr std::size_t kParts = 10;

/// Errors in per cent by class; "all" is the mean over operators.
using Errors = std::map<std::string, std::pair<double, double>>;

void add(Errors& errors, const std::string& name, double error) {
  for (const std::string& key : {name, std::string("all")}) {
    errors[key].first += error;
    errors[key].second += 1;
  }
}

void score(const Trainer& trainer, const std::vector<TreeRun>& runs,
           const std::vector<char>& held_back, Target target, Errors& errors) {
  RunMask used(runs.size());
  for (std::size_t i = 0; i < runs.size(); ++i) used[i] = held_back[i] ? 0 : 1;
  const auto fit = trainer.fit(used);
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (!held_back[i]) continue;
    const auto& value = truth(runs[i].nodes.front(), target);
    const double predicted = fit->predict(runs[i], FeatureSet::Specs).front();
    if (value && !std::isnan(predicted))
      add(errors, runs[i].family, 100 * std::abs(predicted - *value) / *value);
  }
}

/// The same operator in another mode of execution belongs to the same part.
std::vector<std::vector<char>> ten_parts(const std::vector<TreeRun>& runs) {
  std::vector<std::vector<char>> parts(kParts, std::vector<char>(runs.size(), 0));
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < runs.size(); ++i)
    parts[places.emplace(runs[i].model, places.size()).first->second % kParts][i] = 1;
  return parts;
}

std::vector<std::vector<char>> by_model(const std::vector<TreeRun>& runs,
                                        const std::string& counts_file) {
  const MappedFile file(counts_file);
  const CsvTable table(file.bytes(), counts_file);
  std::map<std::string, std::set<std::string>> operators;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::set<std::string>& keys = operators[table.at(i, "model")];
    const std::string& type = table.at(i, "op_class");
    const std::string& shape = table.at(i, "input_shape");
    keys.insert(fmt::format("{}({})@{}", type, table.at(i, "op_args"), shape));
    // Activations were measured once for all their arguments.
    keys.insert(fmt::format("{}()@{}", type, shape));
  }
  std::vector<std::vector<char>> folds;
  for (const auto& [model, keys] : operators) {
    std::vector<char>& fold = folds.emplace_back(runs.size(), 0);
    for (std::size_t i = 0; i < runs.size(); ++i) fold[i] = keys.contains(runs[i].model) ? 1 : 0;
  }
  return folds;
}

std::string cell(const Errors& errors, const std::string& name) {
  const auto found = errors.find(name);
  if (found == errors.end()) return "–";
  return fmt::format("{:.1f}", found->second.first / found->second.second);
}

void print(const std::vector<TreeRun>& runs, const std::vector<std::vector<char>>& folds,
           const char* title, const std::vector<std::string>& methods) {
  std::map<std::string, std::size_t> counts;
  for (const TreeRun& run : runs) ++counts[run.family];
  counts["all"] = runs.size();
  std::map<std::pair<std::string, Target>, Errors> errors;
  for (const std::string& method : methods) {
    for (const auto target : {Target::Time, Target::Energy}) {
      TrainOptions options;
      options.method = method;
      options.features = FeatureSet::Specs;
      const auto trainer = make_trainer(runs, target, options);
      for (const auto& fold : folds) score(*trainer, runs, fold, target, errors[{method, target}]);
    }
  }
  std::cout << title << '\n';
  std::vector<TextTable::Column> columns = {{"operator", TextTable::Align::Left}, {"rows"}};
  for (const char* const what : {"time, ", "energy, "})
    for (const std::string& method : methods) columns.push_back({what + method});
  TextTable table(columns);
  for (const auto& [name, count] : counts) {
    std::vector<std::string> row = {name, fmt::format("{}", count)};
    for (const auto target : {Target::Time, Target::Energy})
      for (const std::string& method : methods) row.push_back(cell(errors[{method, target}], name));
    table.add_row(std::move(row));
  }
  table.print(std::cout);
  std::cout << '\n';
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) {
    std::cerr << "usage: operator_accuracy OPERATORS.csv MODEL_OP_COUNTS.csv [METHOD ...]\n";
    return 2;
  }
  try {
    const std::vector<TreeRun> runs = read_operator_csv(argv[1]).runs;
    std::vector<std::string> methods(argv + 3, argv + argc);
    if (methods.empty()) methods = {"ledger", "forest", "neuralpower"};
    print(runs, ten_parts(runs), "Ten parts, mean absolute error in per cent", methods);
    print(runs, by_model(runs, argv[2]),
          "All operators of a model left out, mean absolute error in per cent", methods);
    return 0;
  } catch (const Error& error) {
    std::cerr << "operator_accuracy: " << error.what() << '\n';
    return exit_code(error.kind());
  }
}
