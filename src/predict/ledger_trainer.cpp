#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "jouletree/error.hpp"
#include "predict/config_object.hpp"
#include "predict/kernel_prices.hpp"
#include "predict/ledger.hpp"
#include "predict/non_negative.hpp"
#include "predict/teaching.hpp"
#include "predict/whole_prices.hpp"

namespace jouletree::predict {
namespace {

using Eigen::Index;
using Eigen::VectorXd;

// Ridges are relative to the weight of the data, see solve_non_negative.
constexpr double kWorkRidge = 1e-5;
constexpr double kScarceRidge = 1e-4;
constexpr double kMeasuredRidge = 1e-6;
constexpr double kGlueRidge = 0.1;
constexpr double kAdaptRidge = 0.1;
constexpr double kWholeRidge = 0.01;
/// A group with fewer different operators than this leans on its class.
constexpr std::size_t kScarceRows = 20;

struct TaughtOperator {
  std::size_t run = 0;
  double weight = 0;  ///< How often the run holds this very operator.
  double truth = 0;
  std::size_t group = 0;
  std::string type;
  OperatorLoad work;
  TermValues terms{};
  std::vector<double> waves;  ///< By candidate; only for products.
  std::optional<double> time_s;
  std::optional<double> gpu_energy_j;
};

struct InnerRow {
  std::size_t run = 0;
  double weight = 0;
  double truth = 0;
  GlueValues terms{};
  bool has_terms = false;
  std::optional<double> time_s;
  std::optional<double> gpu_energy_j;
};

/// An inner node of a tree that holds every operator.
struct WholeRow {
  std::size_t run = 0;
  NodeLevel level = NodeLevel::Module;
  double truth = 0;
  WholeValues terms{};
};

/// Adds a row, divided by its truth, so that errors count relative to it.
template <class Values>
void add_row(NormalEquations& equations, const Values& values, double weight, double truth) {
  const double scale = weight / (truth * truth);
  const Index terms = equations.right.size();
  for (Index i = 0; i < terms; ++i) {
    const double scaled = scale * values[static_cast<std::size_t>(i)];
    if (scaled == 0) continue;
    equations.right(i) += scaled * truth;
    for (Index j = i; j < terms; ++j)
      equations.gram(i, j) += scaled * values[static_cast<std::size_t>(j)];
  }
  equations.square += weight;
}

void mirror(NormalEquations& equations) {
  equations.gram.triangularView<Eigen::StrictlyLower>() = equations.gram.transpose();
}

template <class Row>
std::optional<MeasuredPrice> fit_measured(const std::vector<const Row*>& rows, Target target) {
  NormalEquations equations(2);
  std::size_t count = 0;
  for (const Row* row : rows) {
    if (!row->time_s) continue;
    const std::array<double, 2> values = {row->gpu_energy_j.value_or(0), *row->time_s};
    add_row(equations, values, row->weight, row->truth);
    ++count;
  }
  if (count == 0) return std::nullopt;
  // The time of an operator that was timed is that time.
  if (target == Target::Time) return MeasuredPrice{0, 1};
  mirror(equations);
  const VectorXd solved = solve_non_negative(equations, kMeasuredRidge, VectorXd::Zero(2));
  return MeasuredPrice{solved(0), solved(1)};
}

/// Bytes of a key that tells operators of a run apart.
std::string row_key(std::size_t run, std::initializer_list<double> numbers,
                    const std::string& group) {
  std::string key = group;
  key.append(reinterpret_cast<const char*>(&run), sizeof run);
  for (const double number : numbers)
    key.append(reinterpret_cast<const char*>(&number), sizeof number);
  return key;
}

class LedgerTrainer : public Trainer {
 public:
  LedgerTrainer(const std::vector<TreeRun>& runs, Target target, const LedgerCoefficients* prior)
      : target_(target), prior_(prior) {
    for (std::size_t i = 0; i < runs.size(); ++i) prepare(runs[i], i);
    by_class_.resize(kWorkClasses);
    by_group_.resize(group_names_.size());
    for (const TaughtOperator& row : operators_) {
      by_group_[row.group].push_back(&row);
      by_class_[static_cast<std::size_t>(row.work.work_class)].push_back(&row);
    }
  }

  [[nodiscard]] std::unique_ptr<Fitted> fit(const RunMask& used) const override {
    LedgerCoefficients result = prior_ == nullptr ? LedgerCoefficients{} : *prior_;
    for (std::size_t c = 0; c < kWorkClasses; ++c) {
      const auto rows = selected(by_class_[c], used, true);
      if (rows.empty()) continue;
      const auto& known = result.classes[c];
      result.classes[c] =
          known ? fit_work(rows, &*known, kAdaptRidge) : fit_work(rows, nullptr, kWorkRidge);
    }
    fit_pools(used, result);
    fit_groups(used, result);
    fit_measured_prices(used, result);
    fit_glue(used, result);
    fit_whole(used, NodeLevel::Model, result.whole_model);
    fit_whole(used, NodeLevel::Module, result.whole_module);
    wholes_alone_.fit(used, result);
    return std::make_unique<LedgerFit>(target_, std::move(result));
  }

 private:
  void prepare(const TreeRun& run, std::size_t index) {
    if (teaches_whole(run, target_)) {
      wholes_alone_.add(run, index, target_);
      return;
    }
    std::vector<double> truths(run.nodes.size(), std::numeric_limits<double>::quiet_NaN());
    for (std::size_t i = 0; i < run.nodes.size(); ++i)
      if (const auto& value = truth(run.nodes[i], target_)) truths[i] = *value;
    if (is_complete(run)) add_whole(run, index, truths);
    for (const RunNode& node : run.nodes) {
      const auto& value = truth(node, target_);
      if (!value) continue;
      if (!node.children.empty()) {
        add_inner(run, index, node, *value, truths);
      } else if (node.level == NodeLevel::Operator) {
        add_operator(run, index, node, *value);
      }
    }
  }

  void add_whole(const TreeRun& run, std::size_t index, const std::vector<double>& truths) {
    const std::vector<WholeValues> values = whole_values(run, truths);
    for (std::size_t i = 0; i < run.nodes.size(); ++i) {
      if (run.nodes[i].children.empty() || std::isnan(truths[i])) continue;
      if (!std::isnan(values[i][kWholeOperators]))
        whole_.push_back({index, run.nodes[i].level, truths[i], values[i]});
    }
  }

  void add_operator(const TreeRun& run, std::size_t index, const RunNode& node, double value) {
    const double unknown = -1;
    std::string key = row_key(index,
                              {value, node.time_s.value_or(unknown),
                               node.gpu_energy_j.value_or(unknown), node.mflops.value_or(unknown),
                               node.mebibytes.value_or(unknown), node.params.value_or(unknown)},
                              node.type);
    for (const auto& shape : node.input_shapes)
      key.append(reinterpret_cast<const char*>(shape.data()), shape.size() * sizeof(double));
    const auto [place, is_new] = operator_places_.emplace(std::move(key), operators_.size());
    if (!is_new) {
      operators_[place->second].weight += 1;
      return;
    }
    TaughtOperator& row = operators_.emplace_back();
    row.run = index;
    row.weight = 1;
    row.truth = value;
    row.time_s = node.time_s;
    row.gpu_energy_j = node.gpu_energy_j;
    row.type = type_key(node.type);
    row.work = load_of(run, node);
    row.group = group_of(row.work.group);
    if (!row.work.known) return;
    row.terms = term_values(row.work);
    if (row.work.work_class == WorkClass::Memory) return;
    row.waves.reserve(candidate_waves().size());
    for (const Wave& wave : candidate_waves()) row.waves.push_back(wave_mflops(row.work, wave));
  }

  std::size_t group_of(const std::string& name) {
    const auto [place, is_new] = group_places_.emplace(name, group_names_.size());
    if (is_new) group_names_.push_back(name);
    return place->second;
  }

  /// The children's true costs: what a module adds to them must not make up for errors below it.
  void add_inner(const TreeRun& run, std::size_t index, const RunNode& node, double value,
                 const std::vector<double>& truths) {
    InnerRow row;
    row.run = index;
    row.weight = 1;
    row.truth = value;
    row.time_s = node.time_s;
    row.gpu_energy_j = node.gpu_energy_j;
    row.terms = glue_values(run, node, truths);
    row.has_terms = std::none_of(row.terms.begin(), row.terms.end(),
                                 [](double term) { return std::isnan(term); });
    std::string key = row_key(index, {value, node.time_s.value_or(-1)}, "");
    key.append(reinterpret_cast<const char*>(row.terms.data()), sizeof row.terms);
    const auto [place, is_new] = inner_places_.emplace(std::move(key), inner_.size());
    if (is_new) {
      inner_.push_back(row);
    } else {
      inner_[place->second].weight += 1;
    }
  }

  static std::vector<const TaughtOperator*> selected(const std::vector<const TaughtOperator*>& rows,
                                                     const RunMask& used, bool need_work) {
    std::vector<const TaughtOperator*> result;
    for (const TaughtOperator* row : rows)
      if (used[row->run] && (row->work.known || !need_work)) result.push_back(row);
    return result;
  }

  static std::vector<KernelRow> kernel_rows(const std::vector<const TaughtOperator*>& rows) {
    std::vector<KernelRow> result;
    for (const TaughtOperator* row : rows)
      if (row->work.kernel.kernel != Kernel::Unknown)
        result.push_back({&row->work, row->weight, row->truth});
    return result;
  }

  void fit_pools(const RunMask& used, LedgerCoefficients& result) const {
    std::map<std::string, std::vector<const TaughtOperator*>> pools;
    for (const TaughtOperator& row : operators_) {
      if (used[row.run] && row.work.kernel.kernel != Kernel::Unknown)
        pools[row.work.kernel.pool].push_back(&row);
    }
    for (const auto& [name, rows] : pools) {
      const auto known = result.pools.find(name);
      const bool is_known = known != result.pools.end() && fits(known->second, rows.front()->work);
      const WorkPrice* const prior = is_known ? &known->second : nullptr;
      result.pools.insert_or_assign(name, fit_kernel_price(kernel_rows(rows), prior));
    }
  }

  /// Near the price of all that are alike.
  static void fit_kernel_group(const std::vector<KernelRow>& rows, const std::string& name,
                               LedgerCoefficients& result) {
    const OperatorLoad& first = *rows.front().work;
    const auto known = result.groups.find(name);
    const auto pool = result.pools.find(first.kernel.pool);
    const WorkPrice* prior = nullptr;
    if (pool != result.pools.end() && fits(pool->second, first)) prior = &pool->second;
    if (known != result.groups.end() && fits(known->second, first)) prior = &known->second;
    result.groups.insert_or_assign(name, fit_kernel_price(rows, prior));
  }

  void fit_groups(const RunMask& used, LedgerCoefficients& result) const {
    for (std::size_t g = 0; g < group_names_.size(); ++g) {
      const auto rows = selected(by_group_[g], used, true);
      if (const auto known = kernel_rows(rows); !known.empty()) {
        fit_kernel_group(known, group_names_[g], result);
        continue;
      }
      if (rows.empty() || (rows.size() < kScarceRows && leans_on_common(g, used))) continue;
      const auto work_class = static_cast<std::size_t>(rows.front()->work.work_class);
      result.groups.insert_or_assign(group_names_[g],
                                     fit_group(rows, group_names_[g], result.classes[work_class]));
    }
  }

  /// A few operators of an odd size say nothing about others: prices of the common variant do.
  [[nodiscard]] bool leans_on_common(std::size_t group, const RunMask& used) const {
    if (prior_ != nullptr) return false;
    const auto common = group_places_.find(common_group(group_names_[group]));
    return common != group_places_.end() &&
           selected(by_group_[common->second], used, true).size() >= kScarceRows;
  }

  WorkPrice fit_group(const std::vector<const TaughtOperator*>& rows, const std::string& name,
                      const std::optional<WorkPrice>& of_class) const {
    if (prior_ != nullptr) {
      const auto known = prior_->groups.find(name);
      if (known != prior_->groups.end() &&
          known->second.work_class == rows.front()->work.work_class)
        return fit_work(rows, &known->second, kAdaptRidge);
    }
    const bool is_scarce = prior_ != nullptr || rows.size() < kScarceRows;
    return is_scarce ? fit_work(rows, &*of_class, kScarceRidge)
                     : fit_work(rows, nullptr, kWorkRidge);
  }

  /// With a prior, its wave is kept; else the wave is chosen that explains the data best.
  static WorkPrice fit_work(const std::vector<const TaughtOperator*>& rows, const WorkPrice* prior,
                            double ridge) {
    WorkPrice price;
    price.work_class = rows.front()->work.work_class;
    const auto terms = static_cast<Index>(terms_of(price.work_class).size());
    if (price.work_class == WorkClass::Memory) {
      NormalEquations equations(terms);
      for (const TaughtOperator* row : rows)
        add_row(equations, row->terms, row->weight, row->truth);
      mirror(equations);
      const VectorXd solved = solve_non_negative(equations, ridge, start_of(prior, terms));
      price.coefficients.assign(solved.begin(), solved.end());
      return price;
    }
    return fit_product(rows, prior, ridge, price);
  }

  static VectorXd start_of(const WorkPrice* prior, Index terms) {
    if (prior == nullptr) return VectorXd::Zero(terms);
    return Eigen::Map<const VectorXd>(prior->coefficients.data(), terms);
  }

  static WorkPrice fit_product(const std::vector<const TaughtOperator*>& rows,
                               const WorkPrice* prior, double ridge, WorkPrice price) {
    const auto base_terms = static_cast<Index>(terms_of(price.work_class).size()) - 1;
    const auto waves = static_cast<Index>(candidate_waves().size());
    Eigen::MatrixXd base(static_cast<Index>(rows.size()), base_terms);
    Eigen::MatrixXd by_wave(static_cast<Index>(rows.size()), waves);
    VectorXd ones(static_cast<Index>(rows.size()));
    for (Index r = 0; r < base.rows(); ++r) {
      const TaughtOperator& row = *rows[static_cast<std::size_t>(r)];
      ones(r) = std::sqrt(row.weight);
      const double scale = ones(r) / row.truth;
      base.row(r) = scale * Eigen::Map<const Eigen::RowVectorXd>(row.terms.data(), base_terms);
      by_wave.row(r) = scale * Eigen::Map<const Eigen::RowVectorXd>(row.waves.data(), waves);
    }
    // One wave at a time takes part, so products of waves with each other are not needed.
    const Eigen::MatrixXd mixed = base.transpose() * by_wave;
    const VectorXd wave_right = by_wave.transpose() * ones;
    NormalEquations part(base_terms + 1);
    part.gram.topLeftCorner(base_terms, base_terms) = base.transpose() * base;
    part.right.head(base_terms) = base.transpose() * ones;
    part.square = ones.squaredNorm();
    const VectorXd start = start_of(prior, base_terms + 1);
    double best = std::numeric_limits<double>::infinity();
    for (Index w = 0; w < waves; ++w) {
      const Wave& wave = candidate_waves()[static_cast<std::size_t>(w)];
      if (prior != nullptr && !(wave == prior->wave)) continue;
      part.gram.col(base_terms).head(base_terms) = mixed.col(w);
      part.gram.row(base_terms).head(base_terms) = mixed.col(w).transpose();
      part.gram(base_terms, base_terms) = by_wave.col(w).squaredNorm();
      part.right(base_terms) = wave_right(w);
      const VectorXd solved = solve_non_negative(part, ridge, start);
      const double residual = part.residual(solved);
      if (residual >= best) continue;
      best = residual;
      price.wave = wave;
      price.coefficients.assign(solved.begin(), solved.end());
    }
    return price;
  }

  void fit_measured_prices(const RunMask& used, LedgerCoefficients& result) const {
    std::map<std::string, std::vector<const TaughtOperator*>> by_type;
    std::vector<const TaughtOperator*> all;
    for (const TaughtOperator& row : operators_) {
      if (!used[row.run]) continue;
      by_type[row.type].push_back(&row);
      all.push_back(&row);
    }
    for (const auto& [type, rows] : by_type) {
      if (const auto price = fit_measured(rows, target_))
        result.measured.insert_or_assign(type, *price);
    }
    if (const auto price = fit_measured(all, target_)) result.measured_any = price;
    std::vector<const InnerRow*> inner;
    for (const InnerRow& row : inner_)
      if (used[row.run]) inner.push_back(&row);
    if (const auto price = fit_measured(inner, target_)) result.measured_inner = price;
  }

  /// What a launch and a MiB cost in operators that do little but move data.
  VectorXd glue_prior(const RunMask& used) const {
    VectorXd prior = VectorXd::Zero(kGlueTerms);
    prior(kOperatorChildren) = prior(kModuleChildren) = prior(kModelChildren) = 1;
    NormalEquations equations(2);
    for (const TaughtOperator* row :
         selected(by_class_[static_cast<std::size_t>(WorkClass::Memory)], used, true)) {
      const std::array<double, 2> values = {1, row->work.mebibytes};
      add_row(equations, values, row->weight, row->truth);
    }
    mirror(equations);
    const VectorXd prices = solve_non_negative(equations, kMeasuredRidge, VectorXd::Zero(2));
    prior(kLaunch) = prices(0);
    prior(kExtraBytes) = prices(1);
    return prior;
  }

  void fit_glue(const RunMask& used, LedgerCoefficients& result) const {
    NormalEquations equations(kGlueTerms);
    for (const InnerRow& row : inner_)
      if (used[row.run] && row.has_terms) add_row(equations, row.terms, row.weight, row.truth);
    mirror(equations);
    const VectorXd prior =
        prior_ == nullptr ? glue_prior(used)
                          : VectorXd(Eigen::Map<const VectorXd>(prior_->glue.data(), kGlueTerms));
    const VectorXd solved = solve_non_negative(equations, kGlueRidge, prior);
    std::copy(solved.begin(), solved.end(), result.glue.begin());
  }

  void fit_whole(const RunMask& used, NodeLevel level, std::optional<WholeValues>& result) const {
    NormalEquations equations(kWholeTerms);
    for (const WholeRow& row : whole_)
      if (used[row.run] && row.level == level) add_row(equations, row.terms, 1, row.truth);
    if (equations.square == 0) return;
    mirror(equations);
    VectorXd prior = VectorXd::Zero(kWholeTerms);
    prior(kWholeOperators) = 1;
    if (result) prior = Eigen::Map<const VectorXd>(result->data(), kWholeTerms);
    const VectorXd solved = solve_non_negative(equations, kWholeRidge, prior);
    result.emplace();
    std::copy(solved.begin(), solved.end(), result->begin());
  }

  Target target_;
  const LedgerCoefficients* prior_;
  std::vector<TaughtOperator> operators_;
  std::vector<InnerRow> inner_;
  std::vector<WholeRow> whole_;
  WholePrices wholes_alone_;
  std::vector<std::string> group_names_;
  std::unordered_map<std::string, std::size_t> group_places_;
  std::unordered_map<std::string, std::size_t> operator_places_;
  std::unordered_map<std::string, std::size_t> inner_places_;
  std::vector<std::vector<const TaughtOperator*>> by_group_;
  std::vector<std::vector<const TaughtOperator*>> by_class_;
};

}  // namespace

std::unique_ptr<Trainer> make_ledger_trainer(const std::vector<TreeRun>& runs, Target target,
                                             const TrainOptions& options) {
  if (!config_object(options.config).empty())
    throw Error(ErrorKind::BadInput, "method ledger has no settings; leave --config out");
  return make_ledger_trainer(runs, target);
}

std::unique_ptr<Trainer> make_ledger_trainer(const std::vector<TreeRun>& runs, Target target,
                                             const LedgerCoefficients* prior) {
  return std::make_unique<LedgerTrainer>(runs, target, prior);
}

}  // namespace jouletree::predict
