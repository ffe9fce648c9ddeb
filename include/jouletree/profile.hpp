#pragma once

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "jouletree/cache_mode.hpp"
#include "jouletree/inference.hpp"
#include "jouletree/measured_model.hpp"
#include "jouletree/model_recipe.hpp"
#include "jouletree/probe.hpp"
#include "jouletree/profile_content.hpp"

namespace jouletree {

/// How a model is run and measured. Functions are called by the thread that called
/// profile_model().
struct ProfileSettings {
  InputSettings inputs{};
  std::vector<std::string> data{};  ///< Real data for inputs, as --data takes them.
  std::uint64_t seed = 1;           ///< Of the random data for the others.
  std::string told_as{};            ///< What records call the file, where it does not last.

  int threads = 1;                       ///< Of the engine.
  std::string level = "all";             ///< How far it optimises: "none", "basic", "extended".
  std::string execution = "sequential";  ///< Or "parallel": branches at the same time.
  std::string device = "cpu";            ///< "cuda:0", or what the engine calls it.
  std::map<std::string, std::string> device_options{};
  /// The Python that runs PyTorch's files; empty: whichever has PyTorch.
  std::string python{};
  /// How PyTorch makes or trains the model. Where a function makes it, the path that
  /// profile_model() is given is only its name.
  std::optional<ModelRecipe> recipe{};

  CacheMode cache = CacheMode::Model;
  double precision = 0.02;  ///< Half-width of the 95 % interval of a time, as a share.
  std::optional<std::chrono::duration<double>> budget{};  ///< For all windows together.
  std::optional<double> target{};  ///< Share of the time that operators must explain, 0 to 1.
  std::chrono::duration<double> baseline{2};  ///< How long to measure idle power first; 0: not.
  bool modules = true;                        ///< Run modules alone, too.
  std::vector<std::string> only_types{};      ///< Of operators that are run alone; empty: all.
  std::vector<std::string> without_types{};   ///< Of operators that are not.
  ProbeOptions meters{};
  /// A database, as --db takes it. Operators and modules that were measured under the same
  /// conditions are taken from there, and new ones are kept as soon as they are final. Nothing:
  /// none is opened.
  std::optional<std::string> database{};
  bool fresh = false;  ///< Measure again what the database knows.

  /// Told how far the work is.
  std::function<void(const std::string& what, std::size_t done, std::size_t total)> progress{};
  /// Told what is to be said of the meters, one sentence each.
  std::function<void(const std::string&)> tell{};
  /// Called between any two steps. What it throws ends the measurement and reaches the caller.
  std::function<void()> check{};
};

/// A model as it was measured, just now or long ago. Cheap to copy, and never changes: may be used
/// from any thread.
class ModelProfile {
 public:
  struct State;
  explicit ModelProfile(std::shared_ptr<const State> state) : state_(std::move(state)) {}

  /// Figures, tree, operators, ledger, notes. Lives as long as a copy of the profile does.
  [[nodiscard]] const ProfileContent& content() const;
  /// What metrics see: `metric.from_profile(profile.measured())`.
  [[nodiscard]] MeasuredModel measured() const;
  [[nodiscard]] std::string json() const;       ///< What stands in profile.json.
  [[nodiscard]] std::string tree_line() const;  ///< What stands in tree.jsonl.
  [[nodiscard]] std::string layers() const;     ///< What stands in layers.csv.
  /// Of the library's own.
  [[nodiscard]] const State& state() const { return *state_; }

 private:
  std::shared_ptr<const State> state_;
};

/// Measures a model file, its modules and its operators: an ONNX file in ONNX Runtime, TorchScript
/// and programs of torch.export in PyTorch. Both run in a process of their own, PyTorch in a Python
/// that has it; set_engine_folder() says where the engine is found. Throws Error: BadInput for a
/// file or settings that cannot be used, Missing where there is no engine or no meter, Failed where
/// the engine cannot run the model. An operator that fails costs its own row only.
[[nodiscard]] ModelProfile profile_model(const std::filesystem::path& model,
                                         const ProfileSettings& settings = {});

/// What becomes of a profile that is there already.
enum class OlderProfile { Keep, Replace };

/// Makes the folder where there is none. Throws Error(BadInput) if it cannot be written, or holds
/// what must not be lost: an older profile unless that is to be replaced, a recording, or folders
/// with the names of files. So ask before measuring.
void prepare_profile(const std::filesystem::path& folder, OlderProfile older = OlderProfile::Keep);

/// Writes what 'jouletree profile -o' writes. Whoever is killed meanwhile leaves the whole older
/// profile or the whole new one. Throws as prepare_profile() does, and for a full disk.
void write_profile(const ModelProfile& profile, const std::filesystem::path& folder,
                   OlderProfile older = OlderProfile::Keep);

/// Keeps a profile that was measured just now in a database: model, tree, latencies, score, and how
/// often it runs which operator. Its operators and modules are there already if ProfileSettings
/// named the same database. Returns the database's place, without a password. Throws Error as
/// profile_model() does; all or nothing.
std::string keep_profile(const ModelProfile& profile, const std::string& database);

/// Whether the caller knows that score and profile are of one model.
enum class ScoreOf { ThisModel, SomeModel };

/// The same profile with this score, in the place of an older one: its metrics are then metrics of
/// the profile. Of SomeModel, the score of a plainly different model throws Error(BadInput), and
/// where nobody can tell, the score gets a note.
[[nodiscard]] ModelProfile with_score(const ModelProfile& profile, const Score& score,
                                      ScoreOf whose = ScoreOf::SomeModel);

/// Puts a score into the profile in a folder, in the place of an older one, and returns it as it
/// stands there. Throws as with_score() of SomeModel and read_profile() do, and for a folder that
/// cannot be written.
Score add_score(const Score& score, const std::filesystem::path& folder);

/// Throws Error(BadInput) for what is no profile, is damaged or of another version.
[[nodiscard]] ModelProfile read_profile(const std::filesystem::path& folder);

}  // namespace jouletree
