#include "report/predictor_choice.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/mapped_file.hpp"
#include "base/number_of.hpp"
#include "jouletree/error.hpp"
#include "report/kept_calibrations.hpp"
#include "store/run_place.hpp"
#include "store/sql/location.hpp"

namespace jouletree::report {
namespace {

/// Both words stand at the beginning of their files.
enum class Content { Predictor, TreeFile, Other };

Content content_of(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return Content::Other;
  constexpr std::size_t kBeginning = 4096;
  const MappedFile file(path);
  const std::string_view beginning = file.bytes().substr(0, kBeginning);
  const auto has = [&](std::string_view word) {
    return beginning.find(word) != std::string_view::npos;
  };
  if (has("\"jouletree predictor\"")) return Content::Predictor;
  return has("\"frontend_tree\"") ? Content::TreeFile : Content::Other;
}

MeasuredOn here_of(const PredictorRequest& request) {
  MeasuredOn here = store::place_here(request.root, request.threads.value_or(1));
  if (request.engine == "torch") {
    here.engine = "PyTorch";
    here.version.clear();
    here.level.clear();
    here.execution.clear();
  }
  return here;
}

void refuse_other_threads(const PredictorInfo& info, const std::string& name, int threads) {
  for (const TrainedOn& trained : info.measured_on) {
    const auto known = trained.place.threads;
    if (!known || *known == threads) continue;
    throw Error(ErrorKind::BadInput,
                fmt::format("{} was measured with {}, so it cannot predict for {}: run 'jouletree "
                            "calibrate --threads {}' for that, or leave --threads out",
                            name, number_of(*known, "thread"), threads, threads));
  }
}

bool says_threads(const PredictorInfo& info) {
  return std::any_of(info.measured_on.begin(), info.measured_on.end(),
                     [](const TrainedOn& one) { return one.place.threads.has_value(); });
}

}  // namespace

bool names_predictor(const std::string& word) {
  if (store::sql::names_database(word)) return true;
  const Content content = content_of(word);
  if (content == Content::Predictor) return true;
  return content == Content::Other && std::filesystem::path(word).extension() == ".json";
}

PredictorUse use_of(const PredictorInfo& info, const std::string& name,
                    const PredictorRequest& request) {
  PredictorUse use{name, false, info, {}, {}};
  const std::string called = name.empty() ? "the predictor" : name;
  if (request.threads) refuse_other_threads(info, called, *request.threads);
  // Measured data are from where they are from.
  if (!request.engine.empty() && !info.measured_on.empty()) {
    PredictorRequest expected = request;
    if (runner_for(info) == Runner::PyTorch) expected.engine = "torch";
    const MeasuredOn here = here_of(expected);
    use.differs = parts_elsewhere(info.measured_on, here);
    use.warning = elsewhere_text(called, info.measured_on, here);
  }
  if (request.threads && !says_threads(info)) {
    use.warning += fmt::format(
        "{}{} does not say with how many threads its data were measured, so --threads changes "
        "nothing",
        use.warning.empty() ? "" : "; ", called);
  }
  return use;
}

ChosenPredictor choose_predictor(const PredictorRequest& request, const store::Warn& warn) {
  if (!request.file.empty()) {
    const Predictor predictor = Predictor::read(request.file);
    return {predictor, use_of(predictor.info(), request.file, request)};
  }
  PredictorRequest here = request;
  here.engine = "onnxruntime";
  const MeasuredOn place = here_of(here);
  const auto all = kept_calibrations(calibrations_folder(), warn);
  const KeptCalibration* const found = calibration_for(all, place);
  if (found == nullptr) throw Error(ErrorKind::Missing, no_calibration_text(all, place));
  return {found->predictor, {found->file.string(), true, found->predictor.info(), {}, {}}};
}

}  // namespace jouletree::report
