#include "zoo/calibration/chain.hpp"

#include <algorithm>
#include <cmath>
#include <string>

#include <fmt/format.h>

namespace jouletree::zoo {

std::uint64_t Draw::next() {
  // SplitMix64.
  std::uint64_t mixed = state_ += 0x9e3779b97f4a7c15U;
  mixed = (mixed ^ (mixed >> 30U)) * 0xbf58476d1ce4e5b9U;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94d049bb133111ebU;
  return mixed ^ (mixed >> 31U);
}

Dim Draw::size(Dim low, Dim high, Dim step) {
  constexpr int kBits = 53;
  const double share = std::ldexp(static_cast<double>(next() >> (64 - kBits)), -kBits);
  const double drawn = static_cast<double>(low) *
                       std::pow(static_cast<double>(high) / static_cast<double>(low), share);
  const Dim steps = std::max<Dim>(1, std::llround(drawn / static_cast<double>(step)));
  return std::clamp(steps * step, low, high);
}

Dim Chain::elements() const {
  Dim product = 1;
  for (const Dim size : dims_) product *= size;
  return product;
}

void Chain::input(const Dims& dims, DataType type) {
  std::vector<std::string> sizes;
  for (const Dim size : dims) sizes.push_back(std::to_string(size));
  take(model_.input(fmt::format("x{}", inputs_++), type, sizes), dims);
}

Scope Chain::scope() { return Scope().element("steps", steps_++); }

void Chain::step(std::string_view op, const std::vector<Value>& others, NodeAttributes attributes,
                 const Dims& dims) {
  std::vector<Value> inputs = {value_};
  inputs.insert(inputs.end(), others.begin(), others.end());
  take(model_.node(scope(), op, inputs, std::move(attributes)), dims);
}

void Chain::step(std::string_view op, const std::vector<Value>& others, NodeAttributes attributes) {
  step(op, others, std::move(attributes), Dims(dims_));
}

void Chain::take(const Value& value, const Dims& dims) {
  value_ = value;
  dims_ = dims;
}

void Chain::end() { model_.output(fmt::format("y{}", outputs_++), value_); }

}  // namespace jouletree::zoo
