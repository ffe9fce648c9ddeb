#include "predict/whole_prices.hpp"

#include <algorithm>
#include <map>

#include "predict/non_negative.hpp"

namespace jouletree::predict {
namespace {

using Eigen::Index;
using Eigen::MatrixXd;
using Eigen::VectorXd;

// What a launch, a byte and an operation cost on a processor that is none in particular: one launch
// as much as 20 KiB or 40 kFLOP of products. Where the data do not tell terms from each other, as
// models of one size cannot, they stand in this proportion.
constexpr double kLaunchSeconds = 2e-6;
constexpr double kMebibyteSeconds = 1e-4;
constexpr double kProductMflopSeconds = 5e-5;
constexpr double kOtherMflopSeconds = 2e-4;

// Ridges are relative to the weight of the data, see solve_non_negative.
constexpr double kClassRidge = 1e-3;
constexpr double kGroupRidge = 1e-4;
/// Where nothing else holds a column.
constexpr double kLeastRidge = 1e-9;
/// Of factors for prices that measured operators taught: these are trusted more than wholes.
constexpr double kFactorRidge = 0.1;

/// The first terms of each class: launch, bytes, arithmetic and, of products, outputs. More could
/// not be told apart in sums.
constexpr std::size_t kMemoryTermCount = 3;
constexpr std::size_t kProductTermCount = 4;

std::size_t term_count(WorkClass work_class) {
  return work_class == WorkClass::Memory ? kMemoryTermCount : kProductTermCount;
}

std::vector<double> usual_price(WorkClass work_class) {
  if (work_class == WorkClass::Memory)
    return {kLaunchSeconds, kMebibyteSeconds, kOtherMflopSeconds};
  return {kLaunchSeconds, kProductMflopSeconds, kMebibyteSeconds, 0};
}

/// Columns of the system that a group or a class of operators has.
struct Block {
  WorkClass work_class = WorkClass::Memory;
  Index begin = 0;
  Index size = 1;
  std::optional<WorkPrice> known{};  ///< The one column is a factor for it.
};

void fill(const OperatorLoad& load, const Block& block, double count,
          Eigen::Ref<VectorXd, 0, Eigen::InnerStride<>> row) {
  if (block.known) {
    row(block.begin) += count * cost(*block.known, load);
    return;
  }
  const TermValues values = term_values(load);
  for (Index i = 0; i < block.size; ++i)
    row(block.begin + i) += count * values[static_cast<std::size_t>(i)];
}

WorkPrice solved_price(const Block& block, const VectorXd& solved) {
  WorkPrice price;
  if (block.known) {
    price = *block.known;
    for (double& coefficient : price.coefficients) coefficient *= solved(block.begin);
    return price;
  }
  price.work_class = block.work_class;
  // Without a coefficient of its own; but files hold none without sizes.
  price.wave = candidate_waves().front();
  price.coefficients.assign(terms_of(block.work_class).size(), 0);
  for (Index i = 0; i < block.size; ++i)
    price.coefficients[static_cast<std::size_t>(i)] = solved(block.begin + i);
  return price;
}

/// A whole as far as its operators explain it, divided by its truth.
struct Row {
  double wanted = 1;  ///< Less what is no operator's.
  double factor = 1;  ///< For what operators cost alone.
  const std::vector<std::pair<std::size_t, double>>* loads = nullptr;
};

/// What operators cost, by blocks of columns, must add up to the wholes.
class System {
 public:
  System(const std::vector<Row>& rows, const std::vector<OperatorLoad>& loads)
      : rows_(rows), loads_(loads), block_of_load_(loads.size(), 0) {}

  /// Operators with the same key share a block. `known` is empty where nobody has a price yet.
  void put(std::size_t load, const std::string& key, const std::optional<WorkPrice>& known) {
    const auto [place, is_new] = places_.emplace(key, blocks_.size());
    block_of_load_[load] = place->second;
    if (!is_new) return;
    const WorkClass work_class = loads_[load].work_class;
    Block& block = blocks_.emplace_back(Block{work_class, columns_, 1, known});
    if (!known) block.size = static_cast<Index>(term_count(work_class));
    columns_ += block.size;
  }

  /// Columns are pulled towards `prior`, in shares of the weight that the data have in them.
  [[nodiscard]] VectorXd solve(const VectorXd& prior, double ridge) const {
    MatrixXd table = MatrixXd::Zero(static_cast<Index>(rows_.size()), columns_);
    VectorXd wanted(table.rows());
    for (Index r = 0; r < table.rows(); ++r) {
      const Row& row = rows_[static_cast<std::size_t>(r)];
      wanted(r) = row.wanted;
      for (const auto& [load, count] : *row.loads)
        fill(loads_[load], blocks_[block_of_load_[load]], row.factor * count, table.row(r));
    }
    NormalEquations equations(columns_);
    equations.gram = table.transpose() * table;
    equations.right = table.transpose() * wanted;
    equations.square = wanted.squaredNorm();
    for (const Block& block : blocks_) {
      for (Index i = block.begin; i < block.begin + block.size; ++i) {
        const double pull = (block.known ? kFactorRidge : ridge) * equations.gram(i, i);
        equations.gram(i, i) += pull;
        equations.right(i) += pull * prior(i);
      }
    }
    return solve_non_negative(equations, kLeastRidge, prior);
  }

  [[nodiscard]] const std::map<std::string, std::size_t>& keys() const { return places_; }
  [[nodiscard]] const std::vector<Block>& blocks() const { return blocks_; }
  [[nodiscard]] Index columns() const { return columns_; }

 private:
  const std::vector<Row>& rows_;
  const std::vector<OperatorLoad>& loads_;
  std::vector<std::size_t> block_of_load_;
  std::vector<Block> blocks_;
  std::map<std::string, std::size_t> places_;
  Index columns_ = 0;
};

/// The price that measured operators taught, of the group, one that stands for it, or the class.
std::optional<WorkPrice> known_price(const LedgerCoefficients& prices, const OperatorLoad& load) {
  if (const WorkPrice* const price = group_price(prices, load)) return *price;
  return prices.classes[static_cast<std::size_t>(load.work_class)];
}

std::string class_key(const OperatorLoad& load) { return std::string(name_of(load.work_class)); }

/// What unknown operators would cost on the usual processor, in proportion to all.
VectorXd usual_prices(const System& classes, const std::vector<Row>& rows,
                      const std::vector<OperatorLoad>& loads, const LedgerCoefficients& known) {
  double product = 0;
  double square = 0;
  for (const Row& row : rows) {
    double usual = 0;
    double left = row.wanted;
    for (const auto& [load, count] : *row.loads) {
      if (const auto price = known_price(known, loads[load])) {
        left -= row.factor * count * cost(*price, loads[load]);
        continue;
      }
      const TermValues values = term_values(loads[load]);
      const std::vector<double> prices = usual_price(loads[load].work_class);
      for (std::size_t i = 0; i < prices.size(); ++i)
        usual += row.factor * count * prices[i] * values[i];
    }
    product += usual * std::max(0.0, left);
    square += usual * usual;
  }
  const double scale = square > 0 ? product / square : 0;
  VectorXd prior = VectorXd::Ones(classes.columns());
  for (const Block& block : classes.blocks()) {
    if (block.known) continue;
    const std::vector<double> prices = usual_price(block.work_class);
    for (Index i = 0; i < block.size; ++i)
      prior(block.begin + i) = scale * prices[static_cast<std::size_t>(i)];
  }
  return prior;
}

}  // namespace

std::size_t WholePrices::place_of(const TreeRun& run, const RunNode& node) {
  OperatorLoad load = load_of(run, node);
  std::string key = load.group;
  for (const double number :
       {static_cast<double>(load.work_class), load.mflops, load.mebibytes, load.batches, load.rows,
        load.columns, load.depth, load.vectors, load.vector_length})
    key.append(reinterpret_cast<const char*>(&number), sizeof number);
  const auto [place, is_new] = places_.emplace(std::move(key), loads_.size());
  if (is_new) loads_.push_back(std::move(load));
  return place->second;
}

void WholePrices::add(const TreeRun& run, std::size_t index, Target target) {
  // Children stand behind their parents.
  std::vector<std::map<std::size_t, double>> below(run.nodes.size());
  std::vector<double> operators(run.nodes.size(), 0);
  std::vector<double> mebibytes(run.nodes.size(), 0);
  for (std::size_t i = run.nodes.size(); i-- > 0;) {
    const RunNode& node = run.nodes[i];
    if (node.children.empty()) {
      if (node.level != NodeLevel::Operator) continue;
      operators[i] = 1;
      mebibytes[i] = node.mebibytes.value_or(0);
      // A view costs nothing.
      if (node.mflops != 0.0 || node.mebibytes != 0.0) below[i][place_of(run, node)] = 1;
    } else if (const auto& value = truth(node, target)) {
      wholes_.push_back({index,
                         node.level,
                         *value,
                         operators[i],
                         mebibytes[i],
                         {below[i].begin(), below[i].end()}});
    }
    if (node.parent == kNoParent) continue;
    operators[node.parent] += operators[i];
    mebibytes[node.parent] += mebibytes[i];
    for (const auto& [load, count] : below[i]) below[node.parent][load] += count;
  }
}

void WholePrices::fit(const RunMask& used, LedgerCoefficients& prices) const {
  std::vector<Row> rows;
  // Only what the used runs have is priced.
  std::vector<char> occurs(loads_.size(), 0);
  for (const Whole& whole : wholes_) {
    if (!used[whole.run]) continue;
    const auto& own = whole.level == NodeLevel::Model ? prices.whole_model : prices.whole_module;
    const auto& beside = own ? own : prices.whole_model;
    Row row{1, 1 / whole.truth, &whole.loads};
    if (beside) {
      row.factor *= (*beside)[kWholeOperators];
      row.wanted -=
          ((*beside)[kWholeCalls] * whole.operators + (*beside)[kWholeBytes] * whole.mebibytes) /
          whole.truth;
    }
    if (row.wanted <= 0 || whole.loads.empty()) continue;
    rows.push_back(row);
    for (const auto& [load, count] : whole.loads) occurs[load] = 1;
  }
  if (rows.empty()) return;
  const LedgerCoefficients taught = prices;
  System classes(rows, loads_);
  System groups(rows, loads_);
  for (std::size_t i = 0; i < loads_.size(); ++i) {
    if (occurs[i] == 0) continue;
    const auto known = known_price(taught, loads_[i]);
    const std::string key = loads_[i].group + "\n" + class_key(loads_[i]);
    classes.put(i, known ? key : class_key(loads_[i]), known);
    groups.put(i, key, known);
  }
  const VectorXd of_classes =
      classes.solve(usual_prices(classes, rows, loads_, taught), kClassRidge);
  VectorXd prior = VectorXd::Ones(groups.columns());
  for (const Block& block : groups.blocks()) {
    if (block.known) continue;
    const std::size_t place = classes.keys().at(std::string(name_of(block.work_class)));
    const Block& of_class = classes.blocks()[place];
    prior.segment(block.begin, block.size) = of_classes.segment(of_class.begin, of_class.size);
    prices.classes[static_cast<std::size_t>(block.work_class)] = solved_price(of_class, of_classes);
  }
  const VectorXd solved = groups.solve(prior, kGroupRidge);
  for (const auto& [key, place] : groups.keys()) {
    prices.groups.insert_or_assign(key.substr(0, key.find('\n')),
                                   solved_price(groups.blocks()[place], solved));
  }
  if (!prices.whole_model) prices.whole_model = WholeValues{1, 0, 0};
}

}  // namespace jouletree::predict
