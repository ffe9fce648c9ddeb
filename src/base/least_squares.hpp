#pragma once

#include <array>
#include <optional>
#include <span>

namespace jouletree {

/// intercept + slope × x.
struct Line {
  double intercept = 0;
  double slope = 0;

  [[nodiscard]] double at(double x) const { return intercept + slope * x; }
};

/// a + b x + c x².
struct Parabola {
  std::array<double, 3> terms{};

  [[nodiscard]] double at(double x) const { return terms[0] + x * (terms[1] + x * terms[2]); }
};

// Least squares; the error of each point counts times its weight, before it is squared. Nothing
// where the points do not decide.
[[nodiscard]] std::optional<Line> fit_line(std::span<const double> xs, std::span<const double> ys,
                                           std::span<const double> weights);
[[nodiscard]] std::optional<Parabola> fit_parabola(std::span<const double> xs,
                                                   std::span<const double> ys,
                                                   std::span<const double> weights);

/// The sum of the squares of what a curve leaves, weighted like its fit.
template <class Curve>
[[nodiscard]] double squares_left(const Curve& curve, std::span<const double> xs,
                                  std::span<const double> ys, std::span<const double> weights) {
  double sum = 0;
  for (std::size_t i = 0; i < xs.size(); ++i) {
    const double error = weights[i] * (ys[i] - curve.at(xs[i]));
    sum += error * error;
  }
  return sum;
}

}  // namespace jouletree
