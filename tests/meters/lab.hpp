#pragma once

#include <deque>
#include <memory>
#include <thread>

#include "jouletree/probe.hpp"
#include "meters/energy_log.hpp"
#include "meters/sampler.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::test {

/// Sampler and log over a fake machine, without threads and on simulated time.
class Lab {
 public:
  Lab(FakeMachine& machine, Probe probe, std::chrono::nanoseconds interval,
      std::optional<Level> total_level = std::nullopt)
      : machine_(machine),
        meters_(std::move(probe.meters)),
        log_(infos(), total_level),
        ring_(std::make_unique<meters::SampleRing>()),
        sampler_(meters_, interval, machine.clock, *ring_, [this] { log_.drain(*ring_); }),
        next_(sampler_.tick()) {}

  /// Lets time pass; the sampler ticks when it wants to, or up to `lateness` later.
  void run_until(Time time) {
    while (next_ <= time) {
      machine_.advance_to(std::max(next_ + lateness, machine_.clock.now()));
      next_ = sampler_.tick();
    }
    if (machine_.clock.now() < time) machine_.advance_to(time);
  }
  void run_for(std::chrono::nanoseconds time) { run_until(machine_.clock.now() + time); }

  WindowId begin(std::string_view name) {
    const WindowId id = log_.begin(name, machine_.clock.now(), std::this_thread::get_id());
    edge();
    return id;
  }
  void end(WindowId window) {
    log_.end(window, machine_.clock.now());
    edge();
  }
  WindowResult result(WindowId window) {
    log_.drain(*ring_);
    const Time latest = log_.end_of(window) + log_.patience();
    while (!log_.settled(window) && machine_.clock.now() < latest) {
      run_until(next_);
      log_.drain(*ring_);
    }
    return log_.take(window);
  }
  WindowResult finish(WindowId window) {
    end(window);
    return result(window);
  }
  void drain() { log_.drain(*ring_); }

  [[nodiscard]] meters::EnergyLog& log() { return log_; }
  [[nodiscard]] meters::Sampler& sampler() { return sampler_; }

  std::chrono::nanoseconds lateness{};

 private:
  [[nodiscard]] std::vector<MeterInfo> infos() const {
    std::vector<MeterInfo> infos;
    for (const auto& meter : meters_) infos.push_back(meter->info());
    return infos;
  }
  void edge() {
    sampler_.mark_edge();
    next_ = sampler_.tick();
  }

  FakeMachine& machine_;
  std::vector<std::unique_ptr<Meter>> meters_;
  meters::EnergyLog log_;
  std::unique_ptr<meters::SampleRing> ring_;
  meters::Sampler sampler_;
  Time next_;
};

}  // namespace jouletree::test
