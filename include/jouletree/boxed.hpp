#pragma once

#include <memory>
#include <optional>
#include <utility>

namespace jouletree {

/// An optional value that most do not have: it takes the room of a pointer where it is not there.
/// Copied and compared as the value itself.
template <class Value>
class Boxed {
 public:
  Boxed() = default;
  Boxed(std::nullopt_t /*nothing*/) {}  // NOLINT(google-explicit-constructor)
  Boxed(Value value)                    // NOLINT(google-explicit-constructor)
      : box_(std::make_unique<Value>(std::move(value))) {}
  Boxed(const Boxed& other) : box_(other ? std::make_unique<Value>(*other) : nullptr) {}
  Boxed(Boxed&&) noexcept = default;
  Boxed& operator=(const Boxed& other) {
    if (this != &other) *this = Boxed(other);
    return *this;
  }
  Boxed& operator=(Boxed&&) noexcept = default;
  ~Boxed() = default;

  [[nodiscard]] bool has_value() const { return box_ != nullptr; }
  explicit operator bool() const { return has_value(); }
  /// Only where there is a value.
  Value& operator*() { return *box_; }
  const Value& operator*() const { return *box_; }
  Value* operator->() { return box_.get(); }
  const Value* operator->() const { return box_.get(); }
  Value& emplace() { return *(box_ = std::make_unique<Value>()); }
  void reset() { box_.reset(); }

  friend bool operator==(const Boxed& a, const Boxed& b) {
    return a && b ? *a == *b : a.has_value() == b.has_value();
  }

 private:
  std::unique_ptr<Value> box_;
};

}  // namespace jouletree
