#include <algorithm>
#include <functional>
#include <ostream>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/number_format.hpp"
#include "base/text_table.hpp"
#include "base/wrapped_text.hpp"
#include "jouletree/provenance.hpp"
#include "report/footprint_report.hpp"
#include "report/model_rows.hpp"
#include "report/predict_report.hpp"

namespace jouletree::report {
namespace {

/// "4.05 J", "303 µs": three digits and a prefix.
std::string quantity(double number, const char* unit) {
  static constexpr std::pair<double, const char*> kPrefixes[] = {
      {1e3, "k"}, {1, ""}, {1e-3, "m"}, {1e-6, "µ"}, {1e-9, "n"}, {1e-12, "p"}};
  for (const auto& [factor, prefix] : kPrefixes)
    if (number >= factor) return fmt::format("{:.3g} {}{}", number / factor, prefix, unit);
  return fmt::format("{:.3g} {}", number, unit);
}

std::string cell(const std::optional<double>& number, const char* unit) {
  return number ? quantity(*number, unit) : "–";
}

std::string cell(const std::optional<Range>& range, const char* unit) {
  if (!range) return "–";
  return quantity(range->low, unit) + " to " + quantity(range->high, unit);
}

std::string last_part(const std::string& scope) {
  const std::size_t dot = scope.rfind('.');
  return dot == std::string::npos ? scope : scope.substr(dot + 1);
}

std::string size_text(const TreeRun& run) {
  std::string text;
  if (run.batch) text += fmt::format("batch {}", *run.batch);
  if (run.sequence) text += fmt::format("{}sequence {}", text.empty() ? "" : ", ", *run.sequence);
  return text;
}

bool costs_nothing(const NodePrediction& node) {
  return node.energy_j.value_or(0) == 0 && node.time_s.value_or(0) == 0 &&
         (node.energy_j || node.time_s);
}

/// What is odd about a row; empty where nothing is.
const char* mark_of(const NodePrediction& node, bool is_operator) {
  if (is_operator && node.measured_share > 0) {
    return node.energy_provenance == Provenance::Estimated ? "measured, its energy estimated"
                                                           : "measured";
  }
  if (costs_nothing(node) || !node.beyond_training) return "";
  if (!node.unseen_work) return "beyond training data";
  return is_operator ? "unlike all training data" : "partly unlike all training data";
}

std::vector<std::string> cells_of(std::string name, const std::string& type,
                                  const NodePrediction& node, bool is_operator) {
  return {std::move(name),           printable(type),
          cell(node.energy_j, "J"),  cell(node.energy_range, "J"),
          cell(node.time_s, "s"),    cell(node.time_range, "s"),
          cell(node.power_w(), "W"), mark_of(node, is_operator)};
}

/// "90 % interval": the share of true values that it should hold.
std::string interval_title(double level) { return fmt::format("{:g} % interval", 100 * level); }

std::vector<TextTable::Column> columns(const char* first, TextTable::Column second, double level) {
  using enum TextTable::Align;
  using Fit = TextTable::Fit;
  return {{first, Left},
          std::move(second),
          {"energy"},
          {interval_title(level), Right, Fit::Whole, 1},
          {"time"},
          {interval_title(level), Right, Fit::Whole, 2},
          {"power", Right, Fit::Drop},
          {"", Left}};
}

/// An estimate must not become a measurement by way of a prediction.
void note_estimate(const PredictedRun& predicted, std::ostream& out) {
  if (predicted.learned_from == Provenance::Estimated && predicted.nodes.front().energy_j)
    out << "\nEnergy and power were learned from estimated, not measured energies.\n";
}

void note_foreign(const PredictedRun& predicted, std::ostream& out) {
  if (predicted.foreign) out << '\n' << foreign_note(*predicted.foreign) << '\n';
}

void print_note(const std::string& note, std::ostream& out) {
  if (!note.empty()) out << '\n' << printable(note) << '\n';
}

/// Assumptions of the counts; those of several models with their names, the same ones once.
void print_assumptions(const std::vector<PredictedRun>& predicted, std::ostream& out) {
  std::set<std::string> printed;
  for (const PredictedRun& one : predicted) {
    for (const std::string& note : one.run.notes) {
      const std::string of = predicted.size() > 1 ? one.run.model + ": " : "";
      if (!printed.insert(of + note).second) continue;
      out << (printed.size() == 1 ? "\n" : "") << "Note: " << printable(of + note) << ".\n";
    }
  }
}

}  // namespace

FootprintEnergy footprint_energy(const NodePrediction& node) {
  FootprintEnergy energy{std::nullopt, Provenance::Predicted};
  if (!node.energy_j) return energy;
  EnergyRange& range = energy.energy.emplace();
  range.value = Joules::from(*node.energy_j);
  if (node.energy_range) {
    range.low = Joules::from(node.energy_range->low);
    range.high = Joules::from(node.energy_range->high);
  }
  return energy;
}

std::string_view looked_at(FeatureSet features) {
  switch (features) {
    case FeatureSet::All:
      return "measured time and GPU energy of every operator, and of the children of every module; "
             "never a node's own where it holds others";
    case FeatureSet::Leaves:
      return "measured time and GPU energy of every operator; of modules and models nothing "
             "measured";
    case FeatureSet::Specs:
      return "nothing measured: shapes, FLOPs, bytes and parameters, as for a model that never ran";
  }
  return "";
}

std::string foreign_note(const ForeignOperators& foreign) {
  std::vector<std::string_view> trained;
  trained.reserve(foreign.of_training.size());
  for (const Vocabulary vocabulary : foreign.of_training) trained.push_back(title_of(vocabulary));
  return fmt::format(
      "The predictor learned from {}, but this is made of {}: operators of another engine. {}",
      fmt::join(trained, " and "), title_of(foreign.of_run),
      foreign.as_modules
          ? "Each is priced as the module that does the same work, and what lies between with the "
            "module around it; errors are larger, and intervals allow for that."
      : foreign.priced_by_work
          ? "Each is priced like those that do the same kind of work; errors are larger, and "
            "intervals allow for that."
          : "Only those whose names both have in common can be predicted; --method ledger prices "
            "the others, too.");
}

void print_prediction_tree(const PredictedRun& predicted, int depth,
                           const FootprintFactors& factors, std::ostream& out,
                           const PredictorUse& use) {
  const WrappedText wrapped(out);
  const TreeRun& run = predicted.run;
  out << printable(run.model);
  if (const std::string size = size_text(run); !size.empty()) out << " (" << size << ")";
  out << ", predicted from " << name_of(predicted.features) << "\n\n";
  std::vector<std::vector<std::string>> rows;
  bool all_beyond = !predicted.nodes.front().unseen_work;
  const std::function<void(std::size_t, int)> add = [&](std::size_t index, int level) {
    const RunNode& node = run.nodes[index];
    const NodePrediction& found = predicted.nodes[index];
    const std::string name = index == 0 ? run.model : last_part(node.scope);
    rows.push_back(cells_of(std::string(2 * static_cast<std::size_t>(level), ' ') + printable(name),
                            node.type, found, node.level == NodeLevel::Operator));
    all_beyond = all_beyond && (found.beyond_training || costs_nothing(found));
    if (level >= depth) return;
    for (const std::size_t child : node.children) add(child, level + 1);
  };
  add(0, 0);
  // What holds for every row is said once.
  all_beyond = all_beyond && rows.size() > 1;
  TextTable table(
      columns("module", {"type", TextTable::Align::Left, TextTable::Fit::Drop}, predicted.level));
  for (std::vector<std::string>& row : rows) {
    if (all_beyond) row.pop_back();
    table.add_row(std::move(row));
  }
  table.print(out);
  if (all_beyond) {
    out << "\nEvery row is beyond the training data, so these figures are guesses; add profiles of "
           "models like this one to the training data.\n";
  }
  if (factors.any()) out << '\n';
  for (const FootprintLine& line :
       footprint_lines(footprint_energy(predicted.nodes.front()), factors))
    out << fmt::format("{:<6}{}\n", line.title, line.text);
  print_note(unseen_note(unseen_work(predicted)), out);
  print_note(predicted.known_note, out);
  print_note(interval_note(predicted), out);
  note_foreign(predicted, out);
  note_estimate(predicted, out);
  print_note(use_note(use), out);
  print_assumptions({predicted}, out);
}

void print_rows_table(const std::vector<ModelRow>& rows, std::ostream& out,
                      const PredictorUse& use) {
  const WrappedText wrapped(out);
  TextTable table(
      columns("model", {"inputs", TextTable::Align::Left, TextTable::Fit::Wrap}, use.info.level));
  for (const ModelRow& row : rows) {
    if (!row.problem.empty()) continue;
    TreeRun sizes;
    sizes.batch = row.batch;
    sizes.sequence = row.sequence;
    table.add_row(cells_of(printable(row.subject), size_text(sizes), row.root, false));
  }
  table.print(out);
  print_note(use_note(use), out);
}

void print_prediction_totals(const std::vector<PredictedRun>& predicted,
                             const FootprintFactors& factors, std::ostream& out,
                             const PredictorUse& use) {
  const WrappedText wrapped(out);
  std::vector<TextTable::Column> all =
      columns("model", {"inputs", TextTable::Align::Left, TextTable::Fit::Wrap},
              predicted.empty() ? 0.9 : predicted.front().level);
  const auto add_costs = [&](const NodePrediction& node, const auto& add) {
    for (const FootprintCell& cell : footprint_cells(footprint_energy(node), factors)) add(cell);
  };
  add_costs({}, [&](const FootprintCell& cell) {
    all.insert(all.end() - 1, {TextTable::Column{cell.title},
                               {"interval", TextTable::Align::Right, TextTable::Fit::Whole, 3}});
  });
  TextTable table(all);
  for (const PredictedRun& one : predicted) {
    const RunNode& root = one.run.nodes.front();
    auto cells = cells_of(printable(one.run.model), size_text(one.run), one.nodes.front(),
                          root.level == NodeLevel::Operator);
    add_costs(one.nodes.front(), [&](const FootprintCell& cell) {
      cells.insert(cells.end() - 1, {cell.value, cell.interval});
    });
    table.add_row(std::move(cells));
  }
  table.print(out);
  const auto basis = footprint_basis(Provenance::Predicted, factors);
  if (!basis.empty()) out << '\n';
  for (const FootprintLine& line : basis) out << fmt::format("{} is {}\n", line.title, line.text);
  const auto foreign = std::find_if(predicted.begin(), predicted.end(),
                                    [](const PredictedRun& one) { return one.foreign; });
  UnseenWork unseen;
  for (const PredictedRun& one : predicted) unseen.add(unseen_work(one));
  print_note(unseen_note(unseen), out);
  if (!predicted.empty()) print_note(interval_note(predicted.front()), out);
  if (foreign != predicted.end()) note_foreign(*foreign, out);
  if (!predicted.empty()) note_estimate(predicted.front(), out);
  print_note(use_note(use), out);
  print_assumptions(predicted, out);
}

}  // namespace jouletree::report
