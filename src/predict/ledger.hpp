#pragma once

#include <array>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "predict/cost_terms.hpp"
#include "predict/fitted.hpp"
#include "predict/glue.hpp"
#include "predict/whole.hpp"

namespace jouletree::predict {

/// What the work of an operator costs, term by term.
struct WorkPrice {
  WorkClass work_class = WorkClass::Memory;
  Kernel kernel = Kernel::Unknown;
  Wave wave;
  /// By term of the kernel or, where it is unknown, of the class; joules or seconds each.
  std::vector<double> coefficients;
};
[[nodiscard]] inline std::span<const CostTerm> terms_of(const WorkPrice& price) {
  return price.kernel == Kernel::Unknown ? terms_of(price.work_class) : terms_of(price.kernel);
}
/// The price is made for such work.
[[nodiscard]] bool fits(const WorkPrice& price, const OperatorLoad& work);

/// Wall energy follows from what the GPU took and how long the rest of the machine had to wait.
struct MeasuredPrice {
  double per_gpu_joule = 0;
  double per_second = 0;
};

struct LedgerCoefficients {
  std::map<std::string, WorkPrice, std::less<>> groups;
  std::map<std::string, WorkPrice, std::less<>> pools;  ///< Of kernels, for groups without a price.
  std::array<std::optional<WorkPrice>, kWorkClasses> classes;
  std::map<std::string, MeasuredPrice, std::less<>> measured;  ///< By type of operator.
  std::optional<MeasuredPrice> measured_any;
  std::optional<MeasuredPrice> measured_inner;
  GlueValues glue{};
  /// Of trees that hold every operator; nothing where training had none.
  std::optional<WholeValues> whole_model;
  std::optional<WholeValues> whole_module;
};

/// Coefficients of an operator's group, else of one that stands for it; null where there are none.
[[nodiscard]] const WorkPrice* group_price(const LedgerCoefficients& prices,
                                           const OperatorLoad& work);

/// One linear model over the whole tree: operators by what they do or took, a module by the sum of
/// its children and the work that belongs to none of them. No coefficient is negative.
class LedgerFit : public Fitted {
 public:
  LedgerFit(Target target, LedgerCoefficients coefficients)
      : target_(target), coefficients_(std::move(coefficients)) {}

  [[nodiscard]] std::vector<double> predict(const LoadedRun& loaded,
                                            FeatureSet features) const override;
  [[nodiscard]] std::vector<Explanation> terms() const override;
  [[nodiscard]] std::vector<Explanation> parts(const TreeRun& run, std::size_t node,
                                               FeatureSet features) const override;
  [[nodiscard]] nlohmann::ordered_json to_json() const override;
  [[nodiscard]] static std::unique_ptr<LedgerFit> from_json(Target target,
                                                            const nlohmann::ordered_json& json);

  [[nodiscard]] const LedgerCoefficients& coefficients() const { return coefficients_; }
  /// Coefficients of an operator's group, else of its class, else of the class nearest to it.
  [[nodiscard]] const WorkPrice* price_of(const OperatorLoad& work) const;
  [[nodiscard]] std::optional<MeasuredPrice> measured_price(const RunNode& node) const;

  /// The price of an inner node of a tree that holds every operator; null where there is none.
  [[nodiscard]] const WholeValues* whole_price(const RunNode& node) const;
  /// What a parent takes as the cost of each node.
  [[nodiscard]] std::vector<double> seen_costs(const LoadedRun& loaded, FeatureSet features) const;

 private:
  /// Fills predictions and what parents see of them.
  void fill(const LoadedRun& loaded, FeatureSet features, std::vector<double>& predicted,
            std::vector<double>& seen) const;
  void fill_whole(const TreeRun& run, std::vector<double>& predicted) const;
  [[nodiscard]] double operator_cost(const RunNode& node, const OperatorLoad& work,
                                     const WorkPrice* price, FeatureSet features) const;
  /// What a parent may take as the cost of this child.
  [[nodiscard]] double seen_by_parent(const RunNode& child, double predicted,
                                      FeatureSet features) const;

  Target target_;
  LedgerCoefficients coefficients_;
};

/// What measured values say; nothing where they are missing.
[[nodiscard]] std::optional<double> cost(const MeasuredPrice& price, const RunNode& node);
[[nodiscard]] double cost(const WorkPrice& price, const OperatorLoad& work);

/// One reason why a node costs what it costs.
struct LedgerPart {
  std::string name;
  double amount = 0;  ///< In `unit`.
  std::string_view unit;
  double coefficient = 0;  ///< Joules or seconds per unit.
  double cost = 0;
};
/// The parts whose costs add up to the prediction of a node, zero ones left out.
[[nodiscard]] std::vector<LedgerPart> parts_of(const LedgerFit& ledger, const TreeRun& run,
                                               std::size_t node, FeatureSet features);

/// The method without a prior; it has no settings.
[[nodiscard]] std::unique_ptr<Trainer> make_ledger_trainer(const std::vector<TreeRun>& runs,
                                                           Target target,
                                                           const TrainOptions& options);
/// With a prior, coefficients stay near it where the runs say little; it must outlive the trainer.
[[nodiscard]] std::unique_ptr<Trainer> make_ledger_trainer(
    const std::vector<TreeRun>& runs, Target target, const LedgerCoefficients* prior = nullptr);

}  // namespace jouletree::predict
