#include "base/least_squares.hpp"

#include <cmath>
#include <utility>

namespace jouletree {
namespace {

constexpr double kUndecided = 1e-12;

/// Solves the normal equations by elimination with pivots; false where they do not decide.
template <std::size_t N>
bool solve(std::array<std::array<double, N>, N>& matrix, std::array<double, N>& right) {
  for (std::size_t column = 0; column < N; ++column) {
    std::size_t pivot = column;
    for (std::size_t row = column + 1; row < N; ++row)
      if (std::abs(matrix[row][column]) > std::abs(matrix[pivot][column])) pivot = row;
    if (std::abs(matrix[pivot][column]) <= kUndecided) return false;
    std::swap(matrix[pivot], matrix[column]);
    std::swap(right[pivot], right[column]);
    for (std::size_t row = 0; row < N; ++row) {
      if (row == column) continue;
      const double factor = matrix[row][column] / matrix[column][column];
      for (std::size_t i = column; i < N; ++i) matrix[row][i] -= factor * matrix[column][i];
      right[row] -= factor * right[column];
    }
  }
  for (std::size_t i = 0; i < N; ++i) right[i] /= matrix[i][i];
  return true;
}

/// Terms of a polynomial in (x - middle) / width, which keeps its powers near 1.
template <std::size_t N>
struct Polynomial {
  std::array<double, N> terms{};
  double middle = 0;
  double width = 1;
};

template <std::size_t N>
std::optional<Polynomial<N>> fit(std::span<const double> xs, std::span<const double> ys,
                                 std::span<const double> weights) {
  if (xs.size() < N) return std::nullopt;
  Polynomial<N> found;
  double weight_sum = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double weight = weights[i] * weights[i];
    weight_sum += weight;
    found.middle += weight * xs[i];
  }
  if (!(weight_sum > 0)) return std::nullopt;
  found.middle /= weight_sum;
  double spread = 0;
  for (std::size_t i = 0; i < xs.size(); ++i)
    spread += weights[i] * weights[i] * (xs[i] - found.middle) * (xs[i] - found.middle);
  if (!(spread > 0)) return std::nullopt;
  found.width = std::sqrt(spread / weight_sum);
  std::array<std::array<double, N>, N> matrix{};
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double x = (xs[i] - found.middle) / found.width;
    const double weight = weights[i] * weights[i] / weight_sum;
    std::array<double, N> powers{};
    powers[0] = 1;
    for (std::size_t k = 1; k < N; ++k) powers[k] = powers[k - 1] * x;
    for (std::size_t row = 0; row < N; ++row) {
      for (std::size_t column = 0; column < N; ++column)
        matrix[row][column] += weight * powers[row] * powers[column];
      found.terms[row] += weight * powers[row] * ys[i];
    }
  }
  if (!solve(matrix, found.terms)) return std::nullopt;
  return found;
}

}  // namespace

std::optional<Line> fit_line(std::span<const double> xs, std::span<const double> ys,
                             std::span<const double> weights) {
  const auto found = fit<2>(xs, ys, weights);
  if (!found) return std::nullopt;
  const double slope = found->terms[1] / found->width;
  return Line{found->terms[0] - slope * found->middle, slope};
}

std::optional<Parabola> fit_parabola(std::span<const double> xs, std::span<const double> ys,
                                     std::span<const double> weights) {
  const auto found = fit<3>(xs, ys, weights);
  if (!found) return std::nullopt;
  const double c = found->terms[2] / (found->width * found->width);
  const double b = found->terms[1] / found->width - 2 * c * found->middle;
  const double a = found->terms[0] - found->terms[1] / found->width * found->middle +
                   c * found->middle * found->middle;
  return Parabola{{a, b, c}};
}

}  // namespace jouletree
