#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "jouletree/predict.hpp"
#include "store/measured_data.hpp"

namespace jouletree::report {

/// `calibrations` beside the default database. Throws Error(Missing) where there is no home.
[[nodiscard]] std::filesystem::path calibrations_folder();
/// The file in it for a place: each machine, engine (by the first two numbers of its version),
/// device and number of threads has its own.
[[nodiscard]] std::filesystem::path calibration_file(const MeasuredOn& place);

/// Makes the folder. Throws Error(BadInput) where it cannot be written, before anything was
/// measured.
void prepare_calibrations();
struct KeptPlace {
  std::filesystem::path file;
  std::string stays;  ///< Why an older one stays there; empty where the new one took its place.
};
/// Puts a calibration into its place, where predictions find it that name no predictor. It replaces
/// an older one as a whole, unless that learned from more than twice as many models: a short trial
/// must not cost what took long. Throws Error(BadInput).
KeptPlace keep_calibration(const Predictor& predictor);

struct KeptCalibration {
  std::filesystem::path file;
  Predictor predictor;
};
/// All of a folder, the newest first; `warn` is told of files that cannot be read.
[[nodiscard]] std::vector<KeptCalibration> kept_calibrations(const std::filesystem::path& folder,
                                                             const store::Warn& warn);
/// The newest that was measured in a place like this one; null where there is none.
[[nodiscard]] const KeptCalibration* calibration_for(const std::vector<KeptCalibration>& all,
                                                     const MeasuredOn& here);
/// That there is none, which others there are, and what to do.
[[nodiscard]] std::string no_calibration_text(const std::vector<KeptCalibration>& all,
                                              const MeasuredOn& here);

}  // namespace jouletree::report
