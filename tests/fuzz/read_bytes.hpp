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

struct OtherReader {
  std::string_view name;
  void (*read)(std::string_view bytes);
  std::vector<std::string> seeds;  ///< Files that are fine, to be changed.
};
[[nodiscard]] const std::vector<OtherReader>& other_readers();

}  // namespace jouletree::test
