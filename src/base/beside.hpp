#pragma once

#include <atomic>
#include <future>
#include <memory>
#include <utility>

#include "base/other_core.hpp"

namespace jouletree {

/// Work that is done while its owner does something else: by another thread, or by the owner
/// who asks for the result. A thread that has not begun by then is not waited for, so that a busy
/// machine only loses what the thread would have gained. What the work uses must outlast this.
template <class Result>
class Beside {
 public:
  /// The thread is only made where it is worth one and the machine has another core.
  template <class Work>
  Beside(bool worth_a_thread, Work work)
      : state_(std::make_shared<State>(std::move(work))), result_(state_->task.get_future()) {
    if (worth_a_thread) do_on_other_core([state = state_] { state->run_once(); });
  }
  Beside(Beside&&) noexcept = default;
  Beside& operator=(Beside&&) = delete;
  Beside(const Beside&) = delete;
  Beside& operator=(const Beside&) = delete;
  ~Beside() {
    if (result_.valid() && state_->begun.exchange(true)) result_.wait();
  }

  /// Once. Throws what the work has thrown.
  [[nodiscard]] Result get() {
    state_->run_once();
    look_out_for(state_->finished);
    return result_.get();
  }

 private:
  struct State {
    template <class Work>
    explicit State(Work work) : task(std::move(work)) {}
    void run_once() {
      if (begun.exchange(true)) return;
      task();
      finished = true;
    }

    std::packaged_task<Result()> task;
    std::atomic<bool> begun = false;
    std::atomic<bool> finished = false;
  };

  std::shared_ptr<State> state_;
  std::future<Result> result_;
};

}  // namespace jouletree
