#include "zoo/calibration_model.hpp"

#include <gtest/gtest.h>

#include "jouletree/tree.hpp"
#include "support/temp_folder.hpp"
#include "zoo/build_model.hpp"

namespace jouletree::zoo {
namespace {

ModelTree counted_calibration(const CalibrationModel& model) {
  const test::TempFolder folder;
  const std::filesystem::path file = folder.path() / "model.onnx";
  ModelWriter writer(1);
  InputSettings settings;
  settings.symbols = model.write(writer);
  build_model(writer, file);
  return inspect_model(file, settings);
}

TEST(CalibrationModel, EveryFamilyIsAModelOfWhichAllIsCounted) {
  for (const std::string_view family : calibration_families()) {
    for (int variant = 1; variant <= 3; ++variant) {
      const CalibrationModel model{family, variant};
      SCOPED_TRACE(model.name());
      const ModelTree tree = counted_calibration(model);
      EXPECT_GE(tree.root.totals.operators, 8);
      EXPECT_EQ(tree.root.totals.without_rule, 0);
      EXPECT_EQ(tree.root.totals.unresolved, 0);
    }
  }
}

TEST(CalibrationModel, ANameIsTheSameModelAndEveryVariantAnother) {
  const auto macs = [](int variant) {
    return counted_calibration({"linear layers", variant}).root.totals.macs.value();
  };
  EXPECT_EQ(macs(1), macs(1));
  EXPECT_NE(macs(1), macs(2));
}

}  // namespace
}  // namespace jouletree::zoo
