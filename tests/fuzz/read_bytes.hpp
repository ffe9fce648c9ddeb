#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace jouletree::test {

// What readers of other files than models do with bytes that may be anything, and what the commands
// then do with what they have read. Refusing them with an Error is fine; whatever else happens is a
// defect.

/// Tree files: read, compared, predicted from, filled.
void read_tree_bytes(std::string_view bytes);
/// Predictor files: read, asked for predictions and explanations.
void read_predictor_bytes(std::string_view bytes);
/// Tables of measured operators.
void read_table_bytes(std::string_view bytes);
/// Data for inputs: .npy, .npz and .pb.
void read_data_bytes(std::string_view bytes);
/// The lines and the summary of a recording.
void read_recording_bytes(std::string_view bytes);
/// Settings of methods of prediction, and watts of a machine.
void read_settings_bytes(std::string_view bytes);
/// Plans of campaigns: read and multiplied.
void read_plan_bytes(std::string_view bytes);
/// Whatever somebody took for a model; the last byte chooses the name of the file.
void read_foreign_bytes(std::string_view bytes);
/// Files of a folder that holds a profile (sections.hpp): read, shown, compared.
void read_profile_bytes(std::string_view bytes);
/// Those of a study: read, analysed, shown.
void read_study_bytes(std::string_view bytes);

// Files that are fine, to be changed.
[[nodiscard]] std::vector<std::string> settings_seeds();
[[nodiscard]] std::vector<std::string> plan_seeds();
[[nodiscard]] std::vector<std::string> foreign_seeds();
[[nodiscard]] std::vector<std::string> profile_seeds();
[[nodiscard]] std::vector<std::string> study_seeds();

struct OtherReader {
  std::string_view name;
  void (*read)(std::string_view bytes);
  std::vector<std::string> seeds;
};
[[nodiscard]] const std::vector<OtherReader>& other_readers();

}  // namespace jouletree::test
