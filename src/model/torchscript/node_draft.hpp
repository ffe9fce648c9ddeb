#pragma once

#include <deque>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "jouletree/graph.hpp"
#include "runtime/torchscript_run.hpp"

namespace jouletree::model::torchscript {

/// A node in the making: which row of the operator table a recorded call belongs to, and how its
/// arguments become inputs and attributes of that row.
class NodeDraft {
 public:
  /// `texts` owns what attributes refer to.
  NodeDraft(const runtime::RecordedCall& call, std::string_view row_domain, std::string_view row_op,
            std::deque<std::string>& texts)
      : domain(row_domain), op(row_op), call_(call), texts_(texts) {}

  std::string_view domain;
  std::string_view op;
  std::vector<const runtime::Argument*> inputs;  ///< Null for one that was left out.
  std::vector<Attribute> attributes;

  [[nodiscard]] const runtime::RecordedCall& call() const { return call_; }
  /// An argument that an older signature lacks is none.
  [[nodiscard]] const runtime::Argument& argument(std::size_t position) const;
  /// Dims of a tensor argument; empty where it is none.
  [[nodiscard]] const Dims& dims(std::size_t position) const;
  /// Dims of the first output; empty where it is no tensor.
  [[nodiscard]] const Dims& output_dims() const;

  /// All tensors among the arguments, in order, lists one by one.
  void take_all_tensors();
  /// Those in one argument that `wanted` wants.
  void take_tensors(const runtime::Argument& argument,
                    const std::function<bool(const runtime::RecordedTensor&)>& wanted);
  /// Just these arguments, in this order.
  void take(const std::vector<std::size_t>& positions);
  void take(const runtime::Argument& argument);

  void set(std::string_view name, std::int64_t number);
  void set(std::string_view name, double number);
  void set(std::string_view name, const std::string& text);
  void set(std::string_view name, std::vector<std::int64_t> numbers);
  /// One more of the blocks of that name.
  void add_block(std::string_view name, std::shared_ptr<Block> block);
  /// A list of `length` numbers; one number stands for all of them. Nothing for anything else.
  [[nodiscard]] static std::optional<std::vector<std::int64_t>> integers(
      const runtime::Argument& argument, std::size_t length);

 private:
  Attribute& add(std::string_view name, AttributeKind kind);

  const runtime::RecordedCall& call_;
  std::deque<std::string>& texts_;
};

}  // namespace jouletree::model::torchscript
