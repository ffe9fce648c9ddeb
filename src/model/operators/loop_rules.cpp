#include "model/operators/loop_rules.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "model/operators/shape_math.hpp"

namespace jouletree::model {
namespace {

constexpr std::int64_t kMostUnrolled = 1024;

ValueState integer_state(std::optional<std::int64_t> value) {
  ValueState state;
  state.type.type = DataType::Int64;
  state.type.dims = Dims{};
  if (value) state.content = std::make_shared<const Elements>(Elements{Scalar::integer(*value)});
  return state;
}

ValueState boolean_state(std::optional<bool> value) {
  ValueState state =
      integer_state(value ? std::optional<std::int64_t>(*value ? 1 : 0) : std::nullopt);
  state.type.type = DataType::Bool;
  return state;
}

std::optional<bool> as_condition(const ValueState& state) {
  if (state.content == nullptr || state.content->empty() || !state.content->front().known())
    return std::nullopt;
  return state.content->front().as_integer() != 0;
}

std::vector<ValueState> without_content(std::vector<ValueState> states) {
  for (ValueState& state : states) state.content = nullptr;
  return states;
}

/// What holds after every iteration. Returns whether anything was lost.
bool widen(std::vector<ValueState>& states, const ValueState* results) {
  bool changed = false;
  for (std::size_t i = 0; i < states.size(); ++i) {
    ValueType merged = merge(states[i].type, results[i].type);
    if (!(merged == states[i].type)) {
      states[i].type = std::move(merged);
      changed = true;
    }
  }
  return changed;
}

class LoopRun {
 public:
  explicit LoopRun(Call& call) : call_(call), runner_(call.blocks()) {
    const Block* body = call.block("body");
    if (body == nullptr) call.fail("needs a body");
    body_ = body;
    carried_count_ = call.input_count() > 2 ? call.input_count() - 2 : 0;
    if (body->inputs.size() < 2 + carried_count_ || body->outputs.size() < 1 + carried_count_)
      call.fail("its body does not take and give the values it carries along");
    for (std::size_t i = 0; i < carried_count_; ++i) {
      // Reading the content first lets constants bring it along.
      (void)call.content(i + 2);
      carried_.push_back(call.input_state(i + 2));
    }
    most_trips_ = call.has_input(0) ? call.integer(0) : std::optional<std::int64_t>();
    unlimited_ = !call.has_input(0);
    if (call.has_input(1)) {
      first_condition_ = call.integer(1) ? std::optional(*call.integer(1) != 0) : std::nullopt;
    } else {
      first_condition_ = true;
    }
  }

  void run() {
    const auto before = runner_.save(*body_);
    const auto start = carried_;
    if (!unroll()) {
      runner_.restore(*body_, before);
      carried_ = start;
      settle();
    }
    for (std::size_t i = 0; i < carried_count_; ++i) call_.set_state(i, std::move(carried_[i]));
    for (std::size_t i = 0; i < scanned_.size(); ++i) set_scan_output(i);
  }

 private:
  [[nodiscard]] std::size_t scan_count() const {
    return body_->outputs.size() - 1 - carried_count_;
  }

  std::vector<ValueState> body_inputs(std::optional<std::int64_t> trip,
                                      std::optional<bool> condition) {
    std::vector<ValueState> inputs{integer_state(trip), boolean_state(condition)};
    inputs.insert(inputs.end(), carried_.begin(), carried_.end());
    return inputs;
  }

  void collect(const std::vector<ValueState>& outputs) {
    for (std::size_t i = 0; i < scan_count(); ++i) {
      const ValueType& type = outputs[1 + carried_count_ + i].type;
      if (scanned_.size() <= i) {
        scanned_.push_back(type);
      } else {
        scanned_[i] = merge(scanned_[i], type);
      }
    }
  }

  /// Iteration by iteration; false where that is impossible or takes too long.
  bool unroll() {
    if (!first_condition_ || (!unlimited_ && !most_trips_)) return false;
    bool condition = *first_condition_;
    std::int64_t trip = 0;
    const std::int64_t cost = std::max<std::int64_t>(1, body_->last_node - body_->first_node);
    while (condition && (unlimited_ || trip < *most_trips_)) {
      if (trip >= kMostUnrolled || runner_.budget() < 16 * cost) return false;
      auto outputs = runner_.run(*body_, body_inputs(trip, true), 1);
      const auto next = as_condition(outputs[0]);
      if (!next) return false;
      condition = *next;
      collect(outputs);
      for (std::size_t i = 0; i < carried_count_; ++i) carried_[i] = std::move(outputs[1 + i]);
      ++trip;
    }
    if (trip == 0) declare_scan_outputs();
    trips_ = trip;
    return true;
  }

  /// A loop that never runs gives empty scan outputs of the types that its body would give.
  void declare_scan_outputs() {
    const auto before = runner_.save(*body_);
    collect(runner_.run(*body_, body_inputs(std::nullopt, std::nullopt), 0));
    runner_.restore(*body_, before);
  }

  /// Types that hold in every iteration; counts one iteration times the trips.
  void settle() {
    scanned_.clear();
    carried_ = without_content(std::move(carried_));
    const auto before = runner_.save(*body_);
    std::vector<ValueState> outputs;
    do {
      runner_.restore(*body_, before);
      const Count times = most_trips_ ? Count(std::max<std::int64_t>(0, *most_trips_)) : Count(1);
      outputs = runner_.run(*body_, body_inputs(std::nullopt, std::nullopt), times);
    } while (widen(carried_, outputs.data() + 1));
    collect(outputs);
    const bool runs_to_the_end = first_condition_ == true && as_condition(outputs[0]) == true;
    if (most_trips_ && runs_to_the_end) {
      trips_ = *most_trips_;
    } else if (most_trips_) {
      call_.note(fmt::format("when it ends depends on data; all {} iterations were counted",
                             *most_trips_));
    } else {
      call_.note("its number of iterations depends on data; one was counted");
    }
  }

  void set_scan_output(std::size_t i) {
    ValueType type = std::move(scanned_[i]);
    if (type.dims) {
      type.dims->insert(type.dims->begin(), trips_ ? *trips_ : kUnknownDim);
    }
    call_.set(carried_count_ + i, std::move(type));
  }

  Call& call_;
  BlockRunner& runner_;
  const Block* body_ = nullptr;
  std::size_t carried_count_ = 0;
  std::vector<ValueState> carried_;
  std::vector<ValueType> scanned_;
  std::optional<std::int64_t> most_trips_;
  bool unlimited_ = false;
  std::optional<bool> first_condition_;
  std::optional<std::int64_t> trips_;
};

std::int64_t axis_of(const std::optional<std::vector<std::int64_t>>& axes, std::size_t i) {
  return axes && i < axes->size() ? (*axes)[i] : 0;
}

void remove_axis(ValueType& type, std::size_t axis) {
  type.dims->erase(type.dims->begin() + static_cast<std::ptrdiff_t>(axis));
}

class ScanRun {
 public:
  explicit ScanRun(Call& call)
      : call_(call), body_(call.block("body")), batched_(call.opset() < 9) {
    if (body_ == nullptr) call.fail("needs a body");
    const std::size_t first = first_input();
    const std::size_t given = call.input_count() - std::min(call.input_count(), first);
    const std::int64_t scanned = call.attribute("num_scan_inputs", std::int64_t{0});
    if (scanned < 1 || scanned > static_cast<std::int64_t>(given))
      call.fail("its num_scan_inputs does not fit its inputs");
    carried_count_ = given - static_cast<std::size_t>(scanned);
    if (body_->outputs.size() < carried_count_)
      call.fail("its body gives fewer values than it carries along");
    inputs_.reserve(given);
  }

  void run() {
    take_inputs();
    settle();
    set_outputs();
  }

 private:
  /// The first version takes the lengths of the sequences before everything else.
  [[nodiscard]] std::size_t first_input() const { return batched_ ? 1 : 0; }

  /// What the body sees of each input in one iteration; finds the number of iterations.
  void take_inputs() {
    const auto axes = call_.attribute_integers("scan_input_axes");
    for (std::size_t i = 0; first_input() + i < call_.input_count(); ++i) {
      ValueState state = call_.input_state(first_input() + i);
      state.content = nullptr;
      if (state.type.dims && batched_ && !state.type.dims->empty()) {
        batch_ = state.type.dims->front();
        remove_axis(state.type, 0);
      }
      if (i >= carried_count_ && state.type.dims) {
        const std::size_t axis =
            normal_axis(call_, axis_of(axes, i - carried_count_), state.type.dims->size());
        trips_ = same_dim(call_, trips_, (*state.type.dims)[axis], "lengths of the scanned inputs");
        remove_axis(state.type, axis);
      }
      inputs_.push_back(std::move(state));
    }
  }

  /// Types that hold in every iteration; counts one iteration times the trips.
  void settle() {
    if (trips_ == kUnknownDim)
      call_.note("its number of iterations depends on data; one was counted");
    const Count times = trips_ == kUnknownDim ? Count(1) : Count(trips_) * count_of(batch_);
    BlockRunner& runner = call_.blocks();
    const auto before = runner.save(*body_);
    carried_.assign(inputs_.begin(), inputs_.begin() + static_cast<std::ptrdiff_t>(carried_count_));
    do {
      runner.restore(*body_, before);
      std::copy(carried_.begin(), carried_.end(), inputs_.begin());
      outputs_ = runner.run(*body_, inputs_, times);
    } while (widen(carried_, outputs_.data()));
  }

  void set_outputs() {
    const auto axes = call_.attribute_integers("scan_output_axes");
    for (std::size_t i = 0; i < outputs_.size(); ++i) {
      ValueType type = i < carried_count_ ? carried_[i].type : outputs_[i].type;
      if (i >= carried_count_ && type.dims) {
        const std::size_t axis =
            normal_axis(call_, axis_of(axes, i - carried_count_), type.dims->size() + 1);
        type.dims->insert(type.dims->begin() + static_cast<std::ptrdiff_t>(axis), trips_);
      }
      if (batched_ && type.dims) type.dims->insert(type.dims->begin(), batch_);
      call_.set(i, std::move(type));
    }
  }

  Call& call_;
  const Block* body_;
  bool batched_;  ///< The first version has a batch dimension in front of everything.
  Dim batch_ = 1;
  Dim trips_ = kUnknownDim;
  std::size_t carried_count_ = 0;  ///< These inputs come first; the scanned ones follow.
  std::vector<ValueState> inputs_;
  std::vector<ValueState> carried_;
  std::vector<ValueState> outputs_;
};

std::optional<Dims> common_dims(const std::optional<Dims>& a, const std::optional<Dims>& b) {
  ValueType left;
  ValueType right;
  left.dims = a;
  right.dims = b;
  return merge(left, right).dims;
}

ValueState sequence_item(const ValueType& sequence, std::size_t item) {
  ValueState state;
  state.type.type = sequence.type;
  state.type.dims = sequence.dims;
  if (sequence.items && item < sequence.items->size()) state.type = (*sequence.items)[item];
  return state;
}

/// One item of every sequence, and the other inputs as they are.
std::vector<ValueState> map_inputs(Call& call, std::size_t item) {
  std::vector<ValueState> inputs;
  for (std::size_t i = 0; i < call.input_count(); ++i) {
    ValueState state = call.input_state(i);
    if (state.type.kind == ValueKind::Sequence) state = sequence_item(state.type, item);
    inputs.push_back(std::move(state));
  }
  return inputs;
}

void append_item(ValueType& sequence, const ValueType& item, bool is_first) {
  sequence.type = item.type;
  sequence.dims = is_first ? item.dims : common_dims(sequence.dims, item.dims);
  if (sequence.items) sequence.items->push_back(item);
}

}  // namespace

void loop_shape(Call& call) { LoopRun(call).run(); }

void scan_shape(Call& call) { ScanRun(call).run(); }

void repeat_shape(Call& call) {
  const Attribute* const bodies = call.node().attribute("body");
  if (bodies == nullptr || bodies->blocks.empty()) call.fail("needs a body");
  const bool known = call.has_attribute("trips");
  if (!known) call.note("its number of iterations depends on data; one was counted");
  const Count trips = known ? Count(call.attribute("trips", std::int64_t{1})) : Count(1);
  for (const auto& body : bodies->blocks) (void)call.blocks().run(*body, {}, trips);
}

void sequence_map_shape(Call& call) {
  const Block* body = call.block("body");
  if (body == nullptr) call.fail("needs a body");
  const ValueType& sequence = call.input(0);
  const bool known = sequence.items.has_value();
  if (!known) call.note("the length of its sequence depends on data; one item was counted");
  const std::size_t rounds =
      known ? std::min<std::size_t>(sequence.items->size(), kMostUnrolled) : 1;

  ValueType empty;
  empty.kind = ValueKind::Sequence;
  if (known) empty.items.emplace();
  std::vector<ValueType> results(body->outputs.size(), empty);
  for (std::size_t item = 0; item < rounds; ++item) {
    const auto outputs = call.blocks().run(*body, map_inputs(call, item), 1);
    for (std::size_t i = 0; i < outputs.size() && i < results.size(); ++i)
      append_item(results[i], outputs[i].type, item == 0);
  }
  for (std::size_t i = 0; i < results.size(); ++i) call.set(i, std::move(results[i]));
}

}  // namespace jouletree::model
