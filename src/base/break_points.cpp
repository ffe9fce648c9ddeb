#include "base/break_points.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <limits>
#include <numbers>
#include <random>
#include <string_view>
#include <utility>

#include "base/power_law.hpp"
#include "base/statistics.hpp"

namespace jouletree {
namespace {

constexpr std::size_t kMostBreaks = 3;
constexpr int kSimulations = 999;
constexpr std::uint64_t kSeed = 20211;
/// Errors below this share of the values matter to nobody: exact counts do not break.
constexpr double kNegligible = 1e-3;
constexpr double kInfinity = std::numeric_limits<double>::infinity();
/// So many standard errors away from 0, a jump is one.
constexpr double kClearJump = 2.5;

using Values = std::vector<double>;

/// Sizes with the weight of each; the values vary from simulation to simulation.
struct Scale {
  Values sizes;
  Values weights;

  [[nodiscard]] std::size_t count() const { return sizes.size(); }
  [[nodiscard]] double negligible() const {
    return static_cast<double>(count()) * kNegligible * kNegligible;
  }
};

/// Curves that fit, and what they leave.
struct CurveFit {
  Values at_sizes;
  double left = kInfinity;  ///< Weighted squares.
  std::size_t terms = 2;
};

/// Sums of the weighted points up to each position: a line through any stretch of them costs
/// nothing more.
class StretchSums {
 public:
  StretchSums(const Scale& scale, const Values& values) : sums_(scale.count() + 1) {
    const double middle = scale.sizes[scale.count() / 2];
    const double width = std::max(scale.sizes.back() - scale.sizes.front(), 1e-300);
    for (std::size_t i = 0; i < scale.count(); ++i) {
      const double w = scale.weights[i] * scale.weights[i];
      const double x = (scale.sizes[i] - middle) / width;
      const double y = values[i];
      const std::array<double, 6> terms = {w, w * x, w * x * x, w * y, w * x * y, w * y * y};
      for (std::size_t k = 0; k < terms.size(); ++k) sums_[i + 1][k] = sums_[i][k] + terms[k];
    }
  }

  /// What a line through the points from `first` to `last` leaves.
  [[nodiscard]] double left(std::size_t first, std::size_t last) const {
    std::array<double, 6> s{};
    for (std::size_t k = 0; k < s.size(); ++k) s[k] = sums_[last + 1][k] - sums_[first][k];
    const double xx = s[2] - s[1] * s[1] / s[0];
    const double xy = s[4] - s[1] * s[3] / s[0];
    const double yy = s[5] - s[3] * s[3] / s[0];
    return std::max(0.0, xx > 0 ? yy - xy * xy / xx : yy);
  }

 private:
  std::vector<std::array<double, 6>> sums_;
};

/// The last position of each piece but the last one.
using Ends = std::vector<std::size_t>;

struct Pieces {
  Ends ends;
  double left = kInfinity;
};

/// The best pieces with 0, 1, … `breaks` breaks: the best ones up to a size are the best ones up to
/// an earlier size, and one more piece.
std::vector<Pieces> best_pieces(const Scale& scale, const Values& values, std::size_t breaks) {
  const std::size_t n = scale.count();
  const StretchSums sums(scale, values);
  std::vector<Values> left(breaks + 1, Values(n, kInfinity));
  std::vector<std::vector<std::size_t>> before(breaks + 1, std::vector<std::size_t>(n, 0));
  for (std::size_t last = kFewestInPiece - 1; last < n; ++last) left[0][last] = sums.left(0, last);
  for (std::size_t k = 1; k <= breaks; ++k) {
    for (std::size_t last = (k + 1) * kFewestInPiece - 1; last < n; ++last) {
      for (std::size_t end = k * kFewestInPiece - 1; end + kFewestInPiece <= last; ++end) {
        const double sum = left[k - 1][end] + sums.left(end + 1, last);
        if (sum >= left[k][last]) continue;
        left[k][last] = sum;
        before[k][last] = end;
      }
    }
  }
  std::vector<Pieces> found(breaks + 1);
  for (std::size_t k = 0; k <= breaks; ++k) {
    found[k].left = left[k][n - 1];
    std::size_t last = n - 1;
    for (std::size_t i = k; i > 0; --i) {
      last = before[i][last];
      found[k].ends.insert(found[k].ends.begin(), last);
    }
  }
  return found;
}

template <class Curve>
CurveFit fit_of(const Curve& curve, const Scale& scale, const Values& values, std::size_t terms) {
  CurveFit fit;
  fit.terms = terms;
  fit.left = squares_left(curve, scale.sizes, values, scale.weights);
  for (const double size : scale.sizes) fit.at_sizes.push_back(curve.at(size));
  return fit;
}

/// The best of the curves without a break; a line is a parabola.
CurveFit smooth_fit(const Scale& scale, const Values& values) {
  CurveFit best;
  if (const auto parabola = fit_parabola(scale.sizes, values, scale.weights))
    best = fit_of(*parabola, scale, values, 3);
  if (const auto law = fit_power_law(scale.sizes, values)) {
    CurveFit power = fit_of(*law, scale, values, 2);
    if (power.left < best.left) best = std::move(power);
  }
  return best;
}

std::vector<LinePiece> pieces_of(const Scale& scale, const Values& values, const Ends& ends) {
  std::vector<LinePiece> pieces;
  std::size_t first = 0;
  for (std::size_t i = 0; i <= ends.size(); ++i) {
    const std::size_t last = i < ends.size() ? ends[i] : scale.count() - 1;
    const auto part = [&](const Values& all) {
      return std::span(all).subspan(first, last - first + 1);
    };
    const auto line = fit_line(part(scale.sizes), part(values), part(scale.weights));
    pieces.push_back({first, last, line.value_or(Line{values[first], 0})});
    first = last + 1;
  }
  return pieces;
}

CurveFit fit_of_pieces(const Scale& scale, const Values& values, const Pieces& pieces) {
  CurveFit fit;
  fit.left = pieces.left;
  fit.terms = 2 * (pieces.ends.size() + 1);
  for (const LinePiece& piece : pieces_of(scale, values, pieces.ends))
    for (std::size_t i = piece.first; i <= piece.last; ++i)
      fit.at_sizes.push_back(piece.line.at(scale.sizes[i]));
  return fit;
}

/// How often less is left by the richer one than by the plainer one.
double gain(const Scale& scale, double plainer, double richer) {
  return (plainer + scale.negligible()) / (richer + scale.negligible());
}

/// Normal deviates that are the same with every standard library.
class Noise {
 public:
  double next() {
    constexpr double kScale = 1.0 / 9007199254740992.0;  // 2^-53
    const auto uniform = [&] { return (static_cast<double>(random_() >> 11U) + 0.5) * kScale; };
    const double radius = std::sqrt(-2 * std::log(uniform()));
    return radius * std::cos(2 * std::numbers::pi * uniform());
  }

 private:
  std::mt19937_64 random_{kSeed};
};

/// Of what a plainer fit leaves, and a richer one of the same values.
using GainOf = std::function<double(const Values&)>;

/// The share of studies that follow the plainer curve and seem to gain as much.
double share_by_chance(const Scale& scale, const CurveFit& plainer, double gained,
                       const GainOf& gain_of) {
  const std::size_t n = scale.count();
  const double freedom = std::max<double>(1, static_cast<double>(n - plainer.terms));
  const double deviation = std::sqrt(std::max(plainer.left, scale.negligible()) / freedom);
  Noise noise;
  int as_much = 1;
  for (int i = 0; i < kSimulations; ++i) {
    Values values = plainer.at_sizes;
    for (std::size_t k = 0; k < n; ++k) values[k] += deviation * noise.next() / scale.weights[k];
    if (gain_of(values) >= gained) ++as_much;
  }
  return as_much / (kSimulations + 1.0);
}

/// How many breaks there are, with the share of each that chance would make.
struct Chosen {
  std::size_t breaks = 0;
  Values shares;  ///< By break, in the order in which they were added.
};

/// Two breaks at a time where one does not do: a hump has none that stands alone.
Chosen choose(const Scale& scale, const Values& values, const std::vector<Pieces>& pieces) {
  Chosen chosen;
  const std::size_t most = pieces.size() - 1;
  while (chosen.breaks < most) {
    const std::size_t now = chosen.breaks;
    const CurveFit plainer =
        now == 0 ? smooth_fit(scale, values) : fit_of_pieces(scale, values, pieces[now]);
    for (std::size_t next = now + 1; next <= std::min(now + 2, most); ++next) {
      const double gained = gain(scale, plainer.left, pieces[next].left);
      const double share = share_by_chance(scale, plainer, gained, [&](const Values& simulated) {
        const std::vector<Pieces> found = best_pieces(scale, simulated, next);
        const double left = now == 0 ? smooth_fit(scale, simulated).left : found[now].left;
        return gain(scale, left, found[next].left);
      });
      if (share > kBreakLevel) continue;
      chosen.breaks = next;
      chosen.shares.resize(next, share);
      break;
    }
    if (chosen.breaks == now) break;
  }
  return chosen;
}

/// The standard error of a line at a size, for errors of one unit.
double error_at(const Scale& scale, const LinePiece& piece, double size) {
  double sum = 0;
  double mean = 0;
  for (std::size_t i = piece.first; i <= piece.last; ++i) {
    const double w = scale.weights[i] * scale.weights[i];
    sum += w;
    mean += w * scale.sizes[i];
  }
  mean /= sum;
  double spread = 0;
  for (std::size_t i = piece.first; i <= piece.last; ++i)
    spread += std::pow(scale.weights[i] * (scale.sizes[i] - mean), 2);
  return std::sqrt(1 / sum + (size - mean) * (size - mean) / spread);
}

BreakPoint break_between(const Scale& scale, const LinePiece& before, const LinePiece& after,
                         double deviation) {
  BreakPoint found;
  found.after = before.last;
  const double low = scale.sizes[before.last];
  const double high = scale.sizes[after.first];
  found.at = (low + high) / 2;
  found.jump = after.line.at(found.at) - before.line.at(found.at);
  const double error =
      deviation * std::hypot(error_at(scale, before, found.at), error_at(scale, after, found.at));
  const double slopes = before.line.slope - after.line.slope;
  const double meets =
      slopes != 0 ? (after.line.intercept - before.line.intercept) / slopes : kInfinity;
  // Noise may put a bend into the stretch beside its own.
  const double least = scale.sizes[before.last - 1];
  const double most = scale.sizes[after.first + 1];
  const bool meet_here = meets >= least && meets <= most;
  if (std::abs(found.jump) > kClearJump * error && !meet_here) return found;
  found.kind = BreakPoint::Kind::Slope;
  found.at = std::isfinite(meets) ? std::clamp(meets, least, most) : found.at;
  found.jump = after.line.at(found.at) - before.line.at(found.at);
  return found;
}

std::optional<Scale> scale_of(std::span<const double> sizes, std::span<const double> values) {
  const std::size_t n = sizes.size();
  if (n < 2 * kFewestInPiece || values.size() != n) return std::nullopt;
  for (std::size_t i = 0; i < n; ++i) {
    if (!std::isfinite(sizes[i]) || !std::isfinite(values[i])) return std::nullopt;
    if (i > 0 && sizes[i] <= sizes[i - 1]) return std::nullopt;
  }
  Values amounts;
  for (const double value : values) amounts.push_back(std::abs(value));
  const bool are_positive =
      std::all_of(values.begin(), values.end(), [](double v) { return v > 0; });
  if (!are_positive) {
    // Nothing is relative to 0.
    std::sort(amounts.begin(), amounts.end());
    const double usual = std::max(quantile(amounts, 0.5), amounts.back() / 100);
    if (usual <= 0) return std::nullopt;
    amounts.assign(n, usual);
  }
  Scale scale{{sizes.begin(), sizes.end()}, {}};
  for (const double amount : amounts) scale.weights.push_back(1 / amount);
  return scale;
}

}  // namespace

std::string_view name_of(BreakPoint::Kind kind) {
  return kind == BreakPoint::Kind::Step ? "step" : "slope";
}

std::optional<BrokenLine> find_breaks(std::span<const double> sizes,
                                      std::span<const double> values) {
  const std::optional<Scale> scale = scale_of(sizes, values);
  if (!scale) return std::nullopt;
  const Values all(values.begin(), values.end());
  const std::size_t most = std::min(kMostBreaks, scale->count() / kFewestInPiece - 1);
  const std::vector<Pieces> pieces = best_pieces(*scale, all, most);
  const Chosen chosen = choose(*scale, all, pieces);
  const Pieces& best = pieces[chosen.breaks];
  BrokenLine found;
  found.pieces = pieces_of(*scale, all, best.ends);
  const double freedom =
      std::max<double>(1, static_cast<double>(scale->count() - 2 * found.pieces.size()));
  const double deviation = std::sqrt(best.left / freedom);
  for (std::size_t i = 0; i + 1 < found.pieces.size(); ++i) {
    found.breaks.push_back(break_between(*scale, found.pieces[i], found.pieces[i + 1], deviation));
    found.breaks.back().p = *std::max_element(chosen.shares.begin(), chosen.shares.end());
  }
  return found;
}

}  // namespace jouletree
