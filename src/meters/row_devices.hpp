#pragma once

#include <optional>
#include <string>
#include <vector>

#include "meters/external_layout.hpp"

namespace jouletree::meters {

using RowCells = std::vector<std::vector<std::string>>;

/// The column by which rows of several devices can be told apart, in a file without titles: one of
/// identifiers, or one that counts in turn (0, 1, 0, 1 …) while rows come several at a time. Throws
/// Error(BadInput) if they come several at a time and no column tells of what.
[[nodiscard]] std::optional<std::size_t> find_device_column(const RowCells& rows,
                                                            const RowLayout& layout, WallTime today,
                                                            const std::string& file);

/// Throws Error(BadInput) where rows with the same name in this column still come several at a
/// time, and says which columns may be better.
void check_device_column(const RowCells& rows, std::size_t column, const RowLayout& layout,
                         WallTime today, const std::string& file);

/// A channel for each device of the rows. Throws Error(BadInput) if there is no row yet.
[[nodiscard]] std::vector<ExternalChannel> channels_by_device(const RowCells& rows,
                                                              std::size_t column,
                                                              const ExternalChannel& like,
                                                              const std::string& file);

}  // namespace jouletree::meters
