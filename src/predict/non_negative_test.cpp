#include "predict/non_negative.hpp"

#include <gtest/gtest.h>

namespace jouletree::predict {
namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

NormalEquations equations_of(const MatrixXd& a, const VectorXd& b) {
  NormalEquations equations(a.cols());
  equations.gram = a.transpose() * a;
  equations.right = a.transpose() * b;
  equations.square = b.squaredNorm();
  return equations;
}

TEST(NonNegative, FindsTheSolutionWhereItIsNotNegative) {
  MatrixXd a(3, 2);
  a << 1, 0, 0, 2, 1, 1;
  const VectorXd truth = VectorXd::LinSpaced(2, 3, 4);
  const NormalEquations equations = equations_of(a, a * truth);
  const VectorXd found = solve_non_negative(equations, 1e-12, VectorXd::Zero(2));
  EXPECT_NEAR(found(0), 3, 1e-6);
  EXPECT_NEAR(found(1), 4, 1e-6);
  EXPECT_NEAR(equations.residual(found), 0, 1e-9);
}

TEST(NonNegative, SetsToZeroWhatWouldTurnNegativeAndRefitsTheRest) {
  MatrixXd a(3, 2);
  a << 1, 1, 1, 2, 1, 3;
  VectorXd b(3);
  b << 3, 2, 1;  // 4 − x: the slope is negative
  const VectorXd found = solve_non_negative(equations_of(a, b), 1e-12, VectorXd::Zero(2));
  EXPECT_EQ(found(1), 0);
  EXPECT_NEAR(found(0), 2, 1e-6);
}

TEST(NonNegative, SplitsTwinTermsInsteadOfExploding) {
  MatrixXd a(2, 2);
  a << 1, 1, 2, 2;
  VectorXd b(2);
  b << 2, 4;
  const VectorXd found = solve_non_negative(equations_of(a, b), 1e-6, VectorXd::Zero(2));
  EXPECT_NEAR(found(0), 1, 1e-3);
  EXPECT_NEAR(found(1), 1, 1e-3);
}

TEST(NonNegative, ATermWithoutDataKeepsItsPriorWhateverItsUnit) {
  MatrixXd a(2, 2);
  a << 1e6, 0, 2e6, 0;
  VectorXd b(2);
  b << 1, 2;
  VectorXd prior(2);
  prior << 0, 42;
  const VectorXd found = solve_non_negative(equations_of(a, b), 0.01, prior);
  EXPECT_NEAR(found(0), 1e-6 / 1.01, 1e-12);
  EXPECT_NEAR(found(1), 42, 1e-9);
}

}  // namespace
}  // namespace jouletree::predict
