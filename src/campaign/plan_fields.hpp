#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "campaign/yaml.hpp"

namespace jouletree::campaign {

/// Swapped letters are the most frequent slip: "modles" is meant to be models, not modes. Empty
/// where no name is like it.
[[nodiscard]] std::string meant_name(const std::string& given,
                                     std::span<const std::string_view> known);

/// A value of a plan with the path of keys that leads to it. All functions throw Error(BadInput)
/// naming file, line and key. Refers to the document, which must outlive it.
class Field {
 public:
  Field(const std::string& file, const YamlNode& node, std::string key)
      : file_(&file), node_(&node), key_(std::move(key)), line_(node.line) {}

  [[nodiscard]] const YamlNode& node() const { return *node_; }
  [[nodiscard]] const std::string& key() const { return key_; }
  [[nodiscard]] const std::string& file() const { return *file_; }
  [[nodiscard]] int line() const { return line_; }  ///< Of the key, where it has one.
  /// "plan.yml: line 7: models: ".
  [[nodiscard]] std::string place() const;
  [[noreturn]] void fail(const std::string& what) const;

  [[nodiscard]] std::string text() const;
  [[nodiscard]] std::int64_t whole(std::int64_t least, std::int64_t most) const;
  /// A number above 0, up to `most`.
  [[nodiscard]] double positive(double most) const;
  [[nodiscard]] bool truth() const;
  /// "90%" or 90; 0 to 1.
  [[nodiscard]] double share() const;
  /// "60s"; 0 needs no unit.
  [[nodiscard]] std::chrono::duration<double> duration() const;
  /// As Python or JSON would read it.
  [[nodiscard]] nlohmann::json value() const;

  /// The values of a list; a value that is no list is one alone.
  [[nodiscard]] std::vector<Field> each() const;
  [[nodiscard]] std::vector<std::string> texts() const;
  /// A number, a list, or {from: 1, to: 9, step: 2}, or with `times` in the place of `step`.
  [[nodiscard]] std::vector<std::int64_t> numbers() const;
  /// Fails where a plan that anybody waits for has fewer.
  void refuse_too_many(std::size_t values) const;
  /// Members of a map, each key once. Any key is allowed.
  [[nodiscard]] std::vector<Field> members() const;
  /// The same, and only these keys.
  [[nodiscard]] std::vector<Field> members(std::span<const std::string_view> known) const;
  /// Of a member: its own name, without the path.
  [[nodiscard]] std::string name() const;

 private:
  [[nodiscard]] Field below(const YamlNode& node, std::string key) const;
  [[nodiscard]] std::vector<std::int64_t> range() const;

  const std::string* file_;
  const YamlNode* node_;
  std::string key_;
  int line_;
  std::string name_{};
  /// Shared by all fields of a document.
  std::shared_ptr<std::size_t> values_in_plan_ = std::make_shared<std::size_t>(0);
};

}  // namespace jouletree::campaign
