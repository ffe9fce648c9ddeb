// Measures a model, keeps the profile in a folder, and prints the operators that take longest.
//
//   costly_operators MODEL.onnx FOLDER

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <exception>

#include <jouletree/profile.hpp>

namespace {

void print(const jouletree::ProfileContent& profile) {
  std::printf("%s in %s: %.3g ms", profile.model.c_str(), profile.engine.c_str(),
              1e3 * profile.time.figure.value.value_or(0));
  if (profile.energy.figure.value) {
    std::printf(", %.3g mJ (%s)", 1e3 * *profile.energy.figure.value,
                profile.energy.provenance.c_str());
  }
  std::printf("\n");
  auto operators = profile.operators;
  std::sort(operators.begin(), operators.end(), [](const auto& one, const auto& other) {
    return one.total_s().value_or(0) > other.total_s().value_or(0);
  });
  for (std::size_t i = 0; i < std::min<std::size_t>(5, operators.size()); ++i) {
    std::printf("%8.3f ms  %2lld x %-10s %s\n", 1e3 * operators[i].total_s().value_or(0),
                static_cast<long long>(operators[i].count), operators[i].type.c_str(),
                operators[i].name.c_str());
  }
  for (const std::string& note : profile.notes) std::printf("Note: %s.\n", note.c_str());
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 3) return 2;
  try {
    // Before an hour of measuring, not behind it.
    jouletree::prepare_profile(argv[2], jouletree::OlderProfile::Replace);
    jouletree::ProfileSettings settings;
    settings.budget = std::chrono::seconds(3);
    settings.baseline = std::chrono::seconds(0);
    const jouletree::ModelProfile profile = jouletree::profile_model(argv[1], settings);
    jouletree::write_profile(profile, argv[2], jouletree::OlderProfile::Replace);
    // What 'jouletree show FOLDER' would print from.
    print(jouletree::read_profile(argv[2]).content());
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
