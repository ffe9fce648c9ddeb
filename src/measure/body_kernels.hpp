#pragma once

#include <span>
#include <vector>

#include "measure/profile.hpp"

namespace jouletree::measure {

/// The modules of the kernels that run others inside them, as an If or a Loop does; by position,
/// null for all other kernels and where the tree has no such module. Kernels come in order of their
/// beginnings, and one that contains others before them.
[[nodiscard]] std::vector<const TreeNode*> modules_of_bodies(const Profile& profile,
                                                             std::span<const KernelSlice> kernels);

}  // namespace jouletree::measure
