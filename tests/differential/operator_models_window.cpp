#include "operator_models.hpp"

namespace jouletree::test {
namespace {

using enum DataType;

void add_convolutions(OperatorModels& models) {
  models.microsoft("FusedConv")
      .input({2, 6, 9, 8})
      .input({4, 3, 3, 3})
      .input({4})
      .input({2, 4, 5, 8})
      .output()
      .node()
      .integer("group", 2)
      .ints("strides", {2, 1})
      .ints("pads", {1, 1, 1, 1})
      .text("activation", "Relu");
  for (const std::string_view pad : {"SAME_UPPER", "SAME_LOWER", "VALID"}) {
    models.standard("Conv", 22, pad)
        .input({2, 6, 10, 7})
        .input({4, 6, 3, 4})
        .output()
        .node()
        .text("auto_pad", pad)
        .ints("strides", {2, 3});
  }
  models.standard("Conv", 22, "dilations, groups, pads")
      .input({2, 6, 12, 9})
      .input({9, 2, 3, 2})
      .input({9})
      .output()
      .node()
      .integer("group", 3)
      .ints("dilations", {2, 3})
      .ints("pads", {1, 0, 2, 1});
  models.standard("Conv", 22, "1-D").input({2, 3, 11}).input({4, 3, 3}).output().node();
  models.standard("Conv", 22, "3-D")
      .input({1, 3, 6, 7, 8})
      .input({4, 3, 3, 2, 1})
      .output()
      .node()
      .ints("strides", {1, 2, 3});
  models.standard("DeformConv", 22)
      .input({1, 4, 6, 6})
      .input({5, 4, 3, 3})
      .input({1, 18, 4, 4})
      .output()
      .node()
      .ints("kernel_shape", {3, 3});
}

OperatorModel& transposed(OperatorModels& models, std::string_view variant) {
  return models.standard("ConvTranspose", 22, variant).input({2, 4, 5, 6}).input({4, 3, 3, 3});
}

void add_transposed_convolutions(OperatorModels& models) {
  transposed(models, "output_padding")
      .output()
      .node()
      .ints("strides", {2, 3})
      .ints("output_padding", {1, 2})
      .ints("pads", {1, 0, 1, 2});
  transposed(models, "output_shape")
      .output()
      .node()
      .ints("strides", {2, 2})
      .ints("output_shape", {10, 12});
  transposed(models, "groups")
      .input({6})
      .output()
      .node()
      .integer("group", 2)
      .ints("dilations", {2, 1});
  for (const std::string_view pad : {"SAME_UPPER", "SAME_LOWER", "VALID"}) {
    transposed(models, pad).output().node().text("auto_pad", pad).ints("strides", {2, 3});
  }
  models.microsoft("ConvTransposeWithDynamicPads")
      .input({2, 4, 5, 6})
      .input({4, 3, 3, 3})
      .list({1, 0, 1, 2})
      .output()
      .node()
      .ints("strides", {2, 3});
}

void add_pools(OperatorModels& models) {
  for (const std::string_view op : {"AveragePool", "MaxPool", "LpPool"}) {
    models.standard(op, 22, "dilations, ceil_mode")
        .input({2, 3, 11, 10})
        .output()
        .node()
        .ints("kernel_shape", {3, 2})
        .ints("strides", {2, 3})
        .ints("dilations", {2, 3})
        .ints("pads", {1, 1, 1, 1})
        .integer("ceil_mode", 1);
    // The last window would lie in the padding at the end alone, so that it does not count.
    models.standard(op, 22, "ceil_mode, last window in padding")
        .input({1, 1, 4, 4})
        .output()
        .node()
        .ints("kernel_shape", {1, 1})
        .ints("strides", {2, 2})
        .integer("ceil_mode", 1);
    models.standard(op, 22, "ceil_mode, padded end")
        .input({1, 1, 6, 6})
        .output()
        .node()
        .ints("kernel_shape", {3, 3})
        .ints("strides", {3, 3})
        .ints("pads", {1, 1, 1, 1})
        .integer("ceil_mode", 1);
    models.standard(op, 22, "SAME_LOWER")
        .input({1, 3, 11, 10})
        .output()
        .node()
        .ints("kernel_shape", {3, 2})
        .ints("strides", {2, 3})
        .text("auto_pad", "SAME_LOWER");
    models.standard(op, 22, "VALID")
        .input({1, 3, 11, 10})
        .output()
        .node()
        .ints("kernel_shape", {3, 2})
        .ints("strides", {2, 3})
        .text("auto_pad", "VALID");
  }
  models.standard("GlobalLpPool", 21).input({2, 3, 5, 4}).output().node();
  models.microsoft("MaxpoolWithMask")
      .input({2, 3, 8, 8})
      .input({2, 3, 8, 8}, Int32, {1})
      .output()
      .node()
      .ints("kernel_shape", {3, 3})
      .ints("strides", {2, 2});
}

void add_recurrent(OperatorModels& models) {
  const auto recurrent = [&](std::string_view op, Dim gates) {
    auto& both = models.standard(op, 22, "bidirectional");
    both.input({5, 2, 4}).input({2, gates * 6, 4}).input({2, gates * 6, 6});
    both.input({2, 2 * gates * 6}).input({2}, Int32, {5, 3}).output().output();
    if (op == "LSTM") both.output();
    both.node().integer("hidden_size", 6).text("direction", "bidirectional");
    auto& last = models.standard(op, 22, "last state only");
    last.input({5, 2, 4}).input({1, gates * 6, 4}).input({1, gates * 6, 6});
    last.absent_output().output();
    last.node().integer("hidden_size", 6).text("direction", "reverse");
  };
  recurrent("LSTM", 4);
  recurrent("GRU", 3);
  recurrent("RNN", 1);
  auto& attention = models.microsoft("AttnLSTM");
  attention.input({5, 2, 4}).input({1, 24, 4 + 6}).input({1, 24, 6}).input({1, 48});
  attention.absent_input().absent_input().absent_input().absent_input();
  attention.input({1, 6, 3}).input({1, 7, 3}).input({1, 3}).input({2, 8, 7});
  attention.absent_input().input({1, 6 + 7, 6}).output().output().output();
  attention.node().integer("hidden_size", 6);
}

void add_sampling(OperatorModels& models) {
  models.standard("GridSample", 20, "5-D")
      .input({2, 3, 4, 5, 6})
      .input({2, 2, 3, 4, 3})
      .output()
      .node();
  models.standard("GridSample", 20, "cubic")
      .input({2, 3, 4, 5})
      .input({2, 6, 7, 2})
      .output()
      .node()
      .text("mode", "cubic");
  models.microsoft("GridSample").input({2, 3, 4, 5}).input({2, 6, 7, 2}).output().node();
  models.standard("AffineGrid", 20, "2-D").input({2, 2, 3}).list({2, 3, 5, 6}).output().node();
  models.standard("AffineGrid", 20, "3-D")
      .input({2, 3, 4})
      .list({2, 3, 4, 5, 6})
      .output()
      .node()
      .integer("align_corners", 1);
  models.standard("Col2Im", 18)
      .input({2, 12, 12})
      .list({6, 8})
      .list({2, 2})
      .output()
      .node()
      .ints("strides", {2, 2});
  models.standard("RoiAlign", 21)
      .input({2, 3, 8, 8})
      .input({5, 4}, Float32, {1})
      .input({5}, Int64, {0})
      .output()
      .node()
      .integer("output_height", 3)
      .integer("output_width", 4);
  models.microsoft("CropAndResize")
      .input({2, 3, 8, 8})
      .input({5, 4}, Float32, {0.5})
      .input({5}, Int32, {1})
      .input({2}, Int32, {3, 4})
      .output()
      .node();
}

void add_signals(OperatorModels& models) {
  models.standard("DFT", 20, "onesided, length")
      .input({2, 16, 1})
      .input({}, Int64, {20})
      .input({}, Int64, {1})
      .output()
      .node()
      .integer("onesided", 1);
  models.standard("DFT", 20, "inverse")
      .input({2, 5, 16, 2})
      .absent_input()
      .input({}, Int64, {-3})
      .output()
      .node()
      .integer("inverse", 1);
  models.standard("DFT", 17, "axis attribute")
      .input({2, 5, 16, 1})
      .output()
      .node()
      .integer("axis", 2)
      .integer("onesided", 1);
  models.microsoft("DynamicTimeWarping").input({1, 6, 8}).output(Int32).node();
}

}  // namespace

void add_window_models(OperatorModels& models) {
  add_convolutions(models);
  add_transposed_convolutions(models);
  add_pools(models);
  add_recurrent(models);
  add_sampling(models);
  add_signals(models);
}

}  // namespace jouletree::test
