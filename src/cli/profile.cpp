#include <unistd.h>

#include <iostream>
#include <memory>
#include <optional>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/engine_folder.hpp"
#include "base/progress.hpp"
#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/cost_options.hpp"
#include "cli/input_options.hpp"
#include "jouletree/probe.hpp"
#include "report/profile_folder.hpp"
#include "report/profile_report.hpp"
#include "runtime/onnx_runtime.hpp"

namespace jouletree::cli {
namespace {

enum class Format { Table, Json };

struct ProfileCommand {
  std::string model;
  InputOptions inputs;
  int threads = 1;
  std::string level = "all";
  double precision_percent = 2;
  std::optional<double> budget_s;
  std::optional<double> target_percent;
  std::uint64_t seed = 1;
  std::optional<int> depth;
  std::string cpu_watts;
  CostOptions costs;
  Format format = Format::Table;
  std::string folder;
};

constexpr const char* kFooter =
    "Example:\n"
    "  jouletree profile bert.onnx --dim batch=1 --dim sequence=128 --budget 60\n"
    "\n"
    "Operators are those of the graph that ONNX Runtime really runs. Each is cut out of the model "
    "and\n"
    "run alone with the data that it sees inside; the ledger says how much of the whole they "
    "explain.";

/// Removed with all that is in it.
class ScratchFolder {
 public:
  ScratchFolder() {
    std::string name = (std::filesystem::temp_directory_path() / "jouletree-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
      throw Error(ErrorKind::Missing, fmt::format("cannot make a folder like {}", name));
    path_ = name;
  }
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  ~ScratchFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

Probe open_meters(const ProfileCommand& command) {
  ProbeOptions options;
  if (!command.cpu_watts.empty()) options.cpu_watts = parse_cpu_watts(command.cpu_watts);
  Probe probe = open_probe(options);
  const bool estimated = std::all_of(
      probe.meters.begin(), probe.meters.end(),
      [](const auto& meter) { return meter->info().provenance == Provenance::Estimated; });
  if (estimated)
    std::cerr << "jouletree: energy is estimated, because nothing on this machine measures it "
                 "(jouletree doctor says more)\n";
  return probe;
}

void print(const ProfileCommand& command, const Profile& profile, const ProfileView& view,
           const FootprintFactors& factors) {
  if (command.format == Format::Json) {
    nlohmann::ordered_json json = profile_json(profile, view);
    json["metrics"].update(footprint_json(footprint_energy(view), factors));
    std::cout << json_text(json);
  } else {
    print_profile_table(view, command.depth, factors, std::cout);
  }
  if (!std::cout.flush()) throw Error(ErrorKind::Failed, "cannot write to standard output");
}

void run(const ProfileCommand& command) {
  const FootprintFactors factors = command.costs.factors();
  if (!command.folder.empty()) make_profile_folder(command.folder);
  const auto library = onnx_runtime_library(engine_folder());
  if (!library)
    throw Error(ErrorKind::Missing, "ONNXRUNTIME_ROOT holds no ONNX Runtime; see --version");
  Probe probe = open_meters(command);
  Session session(std::move(probe.meters));
  const ScratchFolder scratch;
  ProfileOptions options;
  options.engine.library = *library;
  options.scratch = scratch.path();
  options.engine.threads = command.threads;
  options.level = command.level;
  options.precision = command.precision_percent / 100;
  if (command.budget_s) options.budget = std::chrono::duration<double>(*command.budget_s);
  if (command.target_percent) options.target = *command.target_percent / 100;
  options.seed = command.seed;
  std::unique_ptr<Progress> shown;
  std::string stage;
  std::size_t before = 0;
  const Profile profile =
      profile_model(command.model, command.inputs.settings(), options, session,
                    [&](const std::string& what, std::size_t done, std::size_t total) {
                      if (what != stage) {
                        shown = std::make_unique<Progress>(what, static_cast<std::int64_t>(total));
                        before = 0;
                      }
                      stage = what;
                      shown->add(static_cast<std::int64_t>(done - before));
                      before = done;
                    });
  shown.reset();
  const ProfileView view = view_of(profile, options.target);
  if (!command.folder.empty()) write_profile_folder(profile, view, command.folder);
  print(command, profile, view, factors);
}

}  // namespace

void add_profile(CLI::App& app) {
  const auto command = std::make_shared<ProfileCommand>();
  CLI::App* profile = app.add_subcommand(
      "profile", "Measure time and energy of a model, its modules and its operators");
  profile->footer(kFooter);
  profile->add_option("model", command->model, "ONNX file")->required()->type_name("MODEL");
  command->inputs.add_to(*profile);
  profile->add_option("--threads", command->threads, "Threads of the engine (default: 1)")
      ->type_name("N")
      ->check(CLI::Range(1, 1024));
  add_choice<std::string>(
      *profile, "--level", command->level,
      {{"none", "none"}, {"basic", "basic"}, {"extended", "extended"}, {"all", "all"}},
      "How far the engine optimises the graph (default: all)");
  profile
      ->add_option("--precision", command->precision_percent,
                   "Half-width of the 95 % interval that is enough, in per cent (default: 2)")
      ->type_name("PERCENT")
      ->check(CLI::Range(0.01, 100.0));
  profile->add_option("--budget", command->budget_s, "Seconds for all windows together")
      ->type_name("SECONDS")
      ->check(CLI::PositiveNumber);
  profile
      ->add_option(
          "--target", command->target_percent,
          "Measure the largest operators first and stop when they explain so much, in per cent")
      ->type_name("PERCENT")
      ->check(CLI::Range(1.0, 100.0));
  profile
      ->add_option("-o,--output", command->folder,
                   "Folder for tree.jsonl, layers.csv, profile.json, trials.jsonl, latency.csv, "
                   "environment.json and trace.json; 'jouletree show' reads it")
      ->type_name("FOLDER");
  add_choice<Format>(*profile, "--format", command->format,
                     {{"table", Format::Table}, {"json", Format::Json}},
                     "What to print on standard output (default: table)");
  profile->add_option("--seed", command->seed, "Of the random inputs (default: 1)")->type_name("N");
  profile->add_option("--depth", command->depth, "Levels of the tree to show")->type_name("N");
  profile
      ->add_option("--cpu-watts", command->cpu_watts,
                   "Watts of the CPUs doing nothing and busy, for the estimate")
      ->type_name("IDLE:FULL");
  command->costs.add_to(*profile);
  profile->callback([command] { run(*command); });
}

}  // namespace jouletree::cli
