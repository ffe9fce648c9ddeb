#include "store/run_sweep.hpp"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <algorithm>
#include <random>
#include <system_error>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/told_as.hpp"
#include "jouletree/error.hpp"
#include "measure/environment.hpp"
#include "store/calendar.hpp"
#include "store/sweep_run_folder.hpp"

namespace jouletree::store {
namespace {

namespace fs = std::filesystem;
using Duration = std::chrono::duration<double>;

/// Of a format whose engine ends again and again.
constexpr int kMostFailures = 3;
constexpr std::size_t kThousandths = 1000;
/// Where the files of a run are gathered.
constexpr const char* kGathered = ".jouletree-run";

/// Two programs at a time would disturb each other, and mix up their runs.
class StudyLock {
 public:
  explicit StudyLock(const fs::path& folder)
      : descriptor_(::open((folder / kStudyFile).c_str(), O_RDONLY | O_CLOEXEC)) {
    if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) == 0) return;
    const bool is_taken = descriptor_ >= 0;
    if (is_taken) ::close(descriptor_);
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: {}", folder.string(),
                            is_taken ? "another 'jouletree sweep' works in this folder; wait until "
                                       "it is done, or name another folder with -o"
                                     : "cannot be read"));
  }
  StudyLock(const StudyLock&) = delete;
  StudyLock& operator=(const StudyLock&) = delete;
  ~StudyLock() { ::close(descriptor_); }

 private:
  int descriptor_;
};

/// One format of one model, by position.
struct Place {
  std::size_t model = 0;
  std::size_t format = 0;
};

struct PlannedRun {
  Place place;
  int run = 1;
};

std::size_t below(std::mt19937_64& random, std::size_t count) {
  return static_cast<std::size_t>(random() % count);
}

/// The same with every standard library, which std::shuffle is not.
void shuffle(std::vector<Place>& places, std::uint64_t seed) {
  std::mt19937_64 random(seed);
  for (std::size_t i = places.size(); i > 1; --i)
    std::swap(places[i - 1], places[below(random, i)]);
}

class Sweep {
 public:
  Sweep(const SweepSettings& settings, measure::EnergySource& energy, const Clock& clock)
      : settings_(settings), energy_(energy), clock_(clock) {}

  SweepOutcome run() {
    begin_study(settings_.folder, settings_.plan);
    const StudyLock lock(settings_.folder);
    std::error_code error;
    fs::remove_all(gathered(), error);
    failures_ = read_sweep_failures(settings_.folder);
    const std::vector<PlannedRun> missing = missing_runs();
    begin_ = clock_.now();
    for (const PlannedRun& one : missing) {
      check();
      if (is_out_of_time()) {
        outcome_.out_of_time = true;
        break;
      }
      ++tried_;
      if (failed_now_[key_of(one.place)] >= kMostFailures) continue;
      const Time begin = clock_.now();
      do_run(one, missing.size());
      took_ += clock_.now() - begin;
      ++timed_;
    }
    return outcome_;
  }

 private:
  [[nodiscard]] fs::path gathered() const { return settings_.folder / kGathered; }
  [[nodiscard]] const PlannedModel& model_of(const Place& place) const {
    return settings_.plan.models[place.model];
  }
  [[nodiscard]] const measure::SweepFormat& format_of(const Place& place) const {
    return model_of(place).formats.formats[place.format];
  }
  [[nodiscard]] std::string key_of(const Place& place) const {
    return failure_key(model_of(place).folder, format_of(place).name);
  }
  [[nodiscard]] fs::path folder_of(const PlannedRun& one) const {
    return format_folder(settings_.folder, model_of(one.place).folder, format_of(one.place).name) /
           sweep_run_folder(one.run);
  }
  void check() const {
    if (settings_.check) settings_.check();
  }

  std::vector<PlannedRun> missing_runs() {
    std::vector<Place> places;
    for (std::size_t model = 0; model < settings_.plan.models.size(); ++model)
      for (std::size_t i = 0; i < settings_.plan.models[model].formats.formats.size(); ++i)
        places.push_back({model, i});
    total_ = places.size() * static_cast<std::size_t>(settings_.runs);
    std::vector<PlannedRun> missing;
    for (int run = 1; run <= settings_.runs; ++run) {
      std::vector<Place> round = places;
      shuffle(round, settings_.seed * 1000003 + static_cast<std::uint64_t>(run));
      for (const Place& place : round) {
        std::error_code error;
        if (fs::is_directory(folder_of({place, run}), error)) {
          ++done_;
        } else {
          missing.push_back({place, run});
        }
      }
    }
    return missing;
  }

  [[nodiscard]] std::optional<Duration> mean_run() const {
    if (timed_ == 0) return std::nullopt;
    return took_ / static_cast<double>(timed_);
  }

  /// The first run is always done: who gives a budget wants to see something.
  [[nodiscard]] bool is_out_of_time() const {
    const auto each = mean_run();
    return settings_.budget && each && Duration(clock_.now() - begin_) + *each > *settings_.budget;
  }

  void do_run(const PlannedRun& one, std::size_t count) {
    SweepRunDone done;
    done.model = model_of(one.place).name;
    done.format = format_of(one.place).name;
    done.run = one.run;
    const Time begin = clock_.now();
    try {
      done.values = measure(one, count);
      ++done_;
      if (failures_.erase(key_of(one.place)) > 0) keep_failures();
    } catch (const engines::EngineLost& lost) {
      fail(one, lost.what(), 1, done);
    } catch (const WriteFailed& failed) {
      throw failed.error;
    } catch (const Error& error) {
      // A signal to all of a terminal ends the engine, too, and its end is not the reason.
      check();
      if (error.kind() == ErrorKind::Missing) throw;
      // It would be refused again.
      fail(one, error.what(), kMostFailures, done);
    }
    done.done = done_;
    done.total = total_;
    done.took_s = Duration(clock_.now() - begin).count();
    const auto each = (took_.count() + done.took_s) / static_cast<double>(timed_ + 1) *
                      static_cast<double>(count - tried_);
    if (count > tried_) done.left_s = each;
    if (settings_.tell) settings_.tell(done);
  }

  /// What has nothing to do with the model.
  struct WriteFailed {
    Error error;
  };

  void fail(const PlannedRun& one, const std::string& why, int weight, SweepRunDone& done) {
    check();
    done.failure = why;
    ++outcome_.failed;
    failed_now_[key_of(one.place)] += weight;
    failures_[key_of(one.place)] = {fmt::format("run {}: {}", one.run, why)};
    keep_failures();
  }

  void keep_failures() const { write_sweep_failures(settings_.folder, failures_); }

  measure::KnownValues measure(const PlannedRun& one, std::size_t count) {
    const measure::SweepFormat& format = format_of(one.place);
    tell_progress(0, count);
    const auto idle = measure::rest(settings_.run, energy_);
    const OpenedModel opened = settings_.open(one.place.model, format);
    return with_errors_told_as(opened.model.path, opened.model.told_as,
                               [&] { return measure_opened(one, count, opened, idle); });
  }

  measure::KnownValues measure_opened(const PlannedRun& one, std::size_t count,
                                      const OpenedModel& opened,
                                      const std::optional<Baseline>& idle) {
    const engines::LoadedModel loaded = opened.engine->load(opened.model);
    const measure::SweepFormat& format = format_of(one.place);
    const measure::Environment environment = environment_of(opened, format);
    const measure::SweepTools tools{energy_, clock_, settings_.watch_usage,
                                    [&](double share) { tell_progress(share, count); }};
    measure::SweepRun run = measure::measure_sweep_run(settings_.run, *opened.engine, tools);
    run.idle = idle;
    measure::KnownValues values = measure::values_of(run, measure::counted_values(loaded));
    try {
      write_sweep_run(folder_of(one), gathered(), facts_of(one, loaded, *opened.engine, run), run,
                      values, environment);
    } catch (const Error& error) {
      throw WriteFailed{error};
    }
    return values;
  }

  void tell_progress(double share, std::size_t count) const {
    check();
    if (!settings_.progress || tried_ == 0) return;
    const auto part = static_cast<std::size_t>(share * kThousandths);
    settings_.progress((tried_ - 1) * kThousandths + part, count * kThousandths);
  }

  [[nodiscard]] SweepRunFacts facts_of(const PlannedRun& one, const engines::LoadedModel& loaded,
                                       const engines::Engine& engine,
                                       const measure::SweepRun& run) const {
    const measure::SweepFormat& format = format_of(one.place);
    SweepRunFacts facts;
    facts.model = model_of(one.place).name;
    facts.engine = engine.name();
    facts.format = format.name;
    facts.run = one.run;
    facts.size = format.size;
    facts.batch = format.batch;
    facts.threads = format.threads;
    facts.dims = format.dims;
    facts.began = date_text(run.began);
    const ModelTree& tree = loaded.given ? *loaded.given : loaded.tree;
    for (const InputShape& input : tree.inference.inputs) {
      if (!input.dims) continue;
      Dims& dims = facts.inputs[input.name];
      for (const InputDim& dim : *input.dims) dims.push_back(dim.size);
    }
    return facts;
  }

  [[nodiscard]] measure::Environment environment_of(const OpenedModel& opened,
                                                    const measure::SweepFormat& format) const {
    measure::Environment environment = measure::read_environment(settings_.root, clock_);
    for (const MeterInfo& meter : energy_.meters()) environment.meters.push_back(meter.name);
    if (settings_.gpus != nullptr)
      for (const GpuState& gpu : settings_.gpus->look()) environment.gpus.push_back(gpu.model);
    environment.model_file =
        opened.model.told_as.empty() ? opened.model.path.string() : opened.model.told_as;
    std::error_code unknown;
    const auto bytes = fs::file_size(opened.model.path, unknown);
    if (!unknown) environment.model_bytes = static_cast<std::int64_t>(bytes);
    auto& settings = environment.settings;
    settings["engine"] = opened.engine->name();
    for (const auto& [key, value] : opened.engine->settings()) settings[key] = value;
    settings["seed"] = std::to_string(opened.model.seed);
    settings["input_format"] = format.name;
    const measure::SweepRunPlan& plan = settings_.run;
    settings["cool_down_s"] = fmt::format("{}", plan.cool_down.count());
    settings["baseline_s"] = fmt::format("{}", plan.baseline.count());
    settings["warm_up_s"] = fmt::format("{}", plan.warm_up.count());
    if (plan.inferences) {
      settings["inferences"] = std::to_string(*plan.inferences);
    } else {
      settings["seconds"] = fmt::format("{}", plan.seconds.count());
    }
    return environment;
  }

  const SweepSettings& settings_;
  measure::EnergySource& energy_;
  const Clock& clock_;
  SweepOutcome outcome_;
  SweepFailures failures_;
  std::map<std::string, int> failed_now_;
  std::size_t total_ = 0;
  std::size_t done_ = 0;
  std::size_t tried_ = 0;  ///< Of the missing runs.
  std::size_t timed_ = 0;
  Duration took_{};
  Time begin_;
};

}  // namespace

SweepOutcome run_sweep(const SweepSettings& settings, measure::EnergySource& energy,
                       const Clock& clock) {
  return Sweep(settings, energy, clock).run();
}

}  // namespace jouletree::store
