#include "predict/folds.hpp"

#include <algorithm>
#include <array>
#include <map>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree {
namespace predict {
namespace {

/// Parts of names that tell a family wherever they stand: distilgpt2, roberta.
constexpr std::array<std::string_view, 2> kWithin = {"gpt", "bert"};
/// Those that must begin a word, or "lenet5" would be a T5; the first that fits counts.
constexpr std::array<std::string_view, 27> kFamilies = {
    "xlnet",     "xlm",     "transfo-xl", "ctrl",       "t5",           "llama",  "bart",
    "vit",       "swin",    "convnext",   "resnext",    "resnet",       "vgg",    "alexnet",
    "densenet",  "mnasnet", "mobilenet",  "shufflenet", "squeezenet",   "yolo",   "inception",
    "googlenet", "regnet",  "unet",       "whisper",    "efficientnet", "wav2vec"};

bool begins_word(const std::string& name, std::string_view part) {
  for (std::size_t at = name.find(part); at != std::string::npos; at = name.find(part, at + 1))
    if (at == 0 || !std::isalnum(static_cast<unsigned char>(name[at - 1]))) return true;
  return false;
}

std::string first_word(const std::string& name) {
  const auto end = std::find_if(name.begin(), name.end(),
                                [](unsigned char letter) { return !std::isalpha(letter); });
  return end == name.begin() ? name : std::string(name.begin(), end);
}

const char* word_of(LeaveOut leave_out) {
  switch (leave_out) {
    case LeaveOut::Model: return "model";
    case LeaveOut::Family: return "family";
    case LeaveOut::Sequence: return "sequence length";
    case LeaveOut::Batch: return "batch size";
    case LeaveOut::Device: return "device";
  }
  return "";
}

const char* key_of(LeaveOut leave_out) {
  switch (leave_out) {
    case LeaveOut::Model: return "model_name";
    case LeaveOut::Family: return "family";
    case LeaveOut::Sequence: return "seq_len";
    case LeaveOut::Batch: return "batch_size";
    case LeaveOut::Device: return "device";
  }
  return "";
}

/// Empty where the run does not say.
std::string name_of_fold(const TreeRun& run, LeaveOut leave_out) {
  switch (leave_out) {
    case LeaveOut::Model: return run.model;
    case LeaveOut::Family: return family_of(run);
    case LeaveOut::Sequence: return run.sequence ? fmt::format("{}", *run.sequence) : "";
    case LeaveOut::Batch: return run.batch ? fmt::format("{}", *run.batch) : "";
    case LeaveOut::Device: return run.device;
  }
  return "";
}

/// So many parts of single operators.
constexpr std::size_t kParts = 10;

std::vector<FoldSplit> split_operators(const std::vector<TreeRun>& runs) {
  std::map<std::string, std::size_t> places;
  for (const TreeRun& run : runs) places.emplace(run.model, places.size());
  std::vector<FoldSplit> parts(std::min(kParts, places.size()));
  for (std::size_t i = 0; i < parts.size(); ++i)
    parts[i] = {fmt::format("part {}", i + 1), {}, true};
  for (std::size_t i = 0; i < runs.size(); ++i)
    parts[places.at(runs[i].model) % parts.size()].runs.push_back(i);
  if (parts.size() < 2) {
    throw Error(ErrorKind::BadInput,
                "all rows are of the same operator: with it left out, nothing is left to train on; "
                "add others");
  }
  return parts;
}

}  // namespace

std::vector<FoldSplit> split_folds(const std::vector<TreeRun>& runs, LeaveOut leave_out) {
  const bool leaves_models = leave_out == LeaveOut::Model;
  if (leaves_models && std::all_of(runs.begin(), runs.end(), is_single_operator))
    return split_operators(runs);
  std::vector<FoldSplit> folds;
  std::map<std::string, std::size_t> places;
  for (std::size_t i = 0; i < runs.size(); ++i) {
    if (leaves_models && is_single_operator(runs[i])) continue;
    const std::string name = name_of_fold(runs[i], leave_out);
    if (name.empty()) {
      throw Error(
          ErrorKind::BadInput,
          fmt::format("{}: the run of '{}' names no {}; write the key {}, or choose another "
                      "--leave-out",
                      place_of(runs[i]), runs[i].model, word_of(leave_out), key_of(leave_out)));
    }
    const auto [place, is_new] = places.emplace(name, folds.size());
    if (is_new) folds.push_back({name, {}, false});
    folds[place->second].runs.push_back(i);
  }
  if (folds.size() < 2) {
    throw Error(ErrorKind::BadInput,
                fmt::format("all runs have the same {} '{}': with it left out, nothing is left to "
                            "train on; add runs of another or choose another --leave-out",
                            word_of(leave_out), folds.empty() ? "" : folds[0].name));
  }
  return folds;
}

}  // namespace predict

std::string family_of(const TreeRun& run) {
  if (!run.family.empty()) return run.family;
  std::string name = run.model;
  std::transform(name.begin(), name.end(), name.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
  for (const std::string_view family : predict::kWithin)
    if (name.find(family) != std::string::npos) return std::string(family);
  for (const std::string_view family : predict::kFamilies)
    if (predict::begins_word(name, family)) return std::string(family);
  return predict::first_word(name);
}

}  // namespace jouletree
