#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <optional>
#include <string>

#include "engines/engine.hpp"
#include "jouletree/gpu.hpp"
#include "measure/sweep/sweep_run.hpp"
#include "store/sweep_study.hpp"

namespace jouletree::store {

/// A model in an engine of its own, for one run.
struct OpenedModel {
  std::shared_ptr<engines::Engine> engine;
  engines::ModelToLoad model;
};

/// What became of one run.
struct SweepRunDone {
  std::string model;
  std::string format;
  int run = 1;
  std::size_t done = 0;   ///< Of all runs, also those of earlier times.
  std::size_t total = 0;  ///< That are planned.
  measure::KnownValues values;
  std::string failure;  ///< Why there are no values; empty where there are.
  double took_s = 0;
  std::optional<double> left_s;  ///< That the rest takes, roughly.
};

/// How a study is made. Functions are called by the thread that called run_sweep().
struct SweepSettings {
  std::filesystem::path folder;
  PlannedStudy plan;
  measure::SweepRunPlan run;
  int runs = 10;           ///< Of every format.
  std::uint64_t seed = 1;  ///< Of their order.
  std::optional<std::chrono::duration<double>> budget{};
  std::filesystem::path root = "/";  ///< Of the machine that is described.
  /// Opens a model of the plan, by its position. Each run gets an engine of its own.
  std::function<OpenedModel(std::size_t model, const measure::SweepFormat& format)> open;
  /// As SweepTools::watch_usage.
  std::function<std::function<measure::UsageSample(Time)>()> watch_usage{};
  GpuWatch* gpus = nullptr;  ///< To name the cards.
  /// How far the work of this call is, in thousandths of runs.
  std::function<void(std::size_t done, std::size_t total)> progress{};
  std::function<void(const SweepRunDone&)> tell{};
  /// Called now and then. What it throws ends the study and reaches the caller; runs that are done
  /// are kept.
  std::function<void()> check{};
};

struct SweepOutcome {
  std::size_t failed = 0;    ///< Runs that failed in this call.
  bool out_of_time = false;  ///< The budget ended before all runs were done.
};

/// Does the runs that a study still lacks. They go in rounds: each has one run of every format, in
/// an order drawn anew, so that a machine that warms up or slows down treats all sizes alike.
/// Whoever is killed leaves whole runs only. A model that fails at a size costs that size. Throws
/// Error(BadInput) as begin_study() does, where another program works in the folder, and for a full
/// disk; Error(Missing) where there is no engine.
SweepOutcome run_sweep(const SweepSettings& settings, measure::EnergySource& energy,
                       const Clock& clock);

}  // namespace jouletree::store
