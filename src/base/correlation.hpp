#pragma once

#include <optional>
#include <vector>

namespace jouletree {

/// One quantity over all rows of a table; nothing where a row does not know it.
using SparseColumn = std::vector<std::optional<double>>;

/// Pearson's correlation over the rows that know both, -1 to 1. Nothing where these are fewer than
/// three, or where one of both does not change in them.
[[nodiscard]] std::optional<double> pearson(const SparseColumn& a, const SparseColumn& b);
/// Spearman's: the same of the ranks.
[[nodiscard]] std::optional<double> spearman(const SparseColumn& a, const SparseColumn& b);

/// Of every column with every other, in their order.
using CorrelationMatrix = std::vector<std::vector<std::optional<double>>>;
[[nodiscard]] CorrelationMatrix pearson_matrix(const std::vector<SparseColumn>& columns);
[[nodiscard]] CorrelationMatrix spearman_matrix(const std::vector<SparseColumn>& columns);

}  // namespace jouletree
