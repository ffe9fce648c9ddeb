#pragma once

#include <atomic>
#include <functional>

namespace jouletree {

/// Whether this machine can do two things at once. Asks the system the first time only.
[[nodiscard]] bool has_other_core();

/// Has the work done by another thread, at once where that can be: a thread that has finished
/// looks out for more for a moment, since to wake a core takes longer than most of our work. The
/// work never begins where there is no other core or no thread to be had. It must not throw.
void do_on_other_core(std::function<void()> work);

/// Gives another thread some milliseconds to set the flag. To sleep until then, and to be woken,
/// would take longer than most of our work.
void look_out_for(const std::atomic<bool>& flag);

}  // namespace jouletree
