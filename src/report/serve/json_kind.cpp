#include "report/serve/json_kind.hpp"

#include <fstream>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

namespace jouletree::report {
namespace {

using Json = nlohmann::json;

constexpr std::uintmax_t kMostBytes = std::uintmax_t{64} << 20U;
constexpr std::size_t kMostDepth = 200;

/// Which lists and objects the outermost object has.
class OuterMembers final : public nlohmann::json_sax<Json> {
 public:
  [[nodiscard]] bool has_list(const char* name) const { return lists_.contains(name); }
  [[nodiscard]] bool has_object(const char* name) const { return objects_.contains(name); }

  bool null() override { return true; }
  bool boolean(bool /*value*/) override { return true; }
  bool number_integer(number_integer_t /*value*/) override { return true; }
  bool number_unsigned(number_unsigned_t /*value*/) override { return true; }
  bool number_float(number_float_t /*value*/, const string_t& /*text*/) override { return true; }
  bool string(string_t& /*value*/) override { return true; }
  bool binary(binary_t& /*value*/) override { return true; }
  bool key(string_t& name) override {
    if (depth_ == 1) name_ = name;
    return true;
  }
  bool start_object(std::size_t /*elements*/) override {
    if (depth_ == 1) objects_.insert(name_);
    return ++depth_ < kMostDepth;
  }
  bool end_object() override {
    --depth_;
    return true;
  }
  bool start_array(std::size_t /*elements*/) override {
    if (depth_ == 1) lists_.insert(name_);
    return ++depth_ < kMostDepth;
  }
  bool end_array() override {
    --depth_;
    return true;
  }
  bool parse_error(std::size_t /*position*/, const std::string& /*token*/,
                   const nlohmann::detail::exception& /*error*/) override {
    return false;
  }

 private:
  std::size_t depth_ = 0;
  std::string name_;
  std::set<std::string, std::less<>> lists_;
  std::set<std::string, std::less<>> objects_;
};

bool begins_like_tree_file(std::ifstream& in) {
  constexpr std::size_t kBegin = std::size_t{64} << 10U;
  std::string begin(kBegin, '\0');
  in.read(begin.data(), static_cast<std::streamsize>(begin.size()));
  begin.resize(static_cast<std::size_t>(in.gcount()));
  in.clear();
  in.seekg(0);
  return begin.substr(0, begin.find('\n')).find("\"frontend_tree\"") != std::string::npos;
}

}  // namespace

JsonKind json_kind_of(const std::filesystem::path& file) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(file, error);
  if (error) return JsonKind::Other;  // Among others, of a pipe, which would be waited for.
  std::ifstream in(file, std::ios::binary);
  if (!in) return JsonKind::Other;
  if (begins_like_tree_file(in)) return JsonKind::TreeFile;
  if (bytes > kMostBytes) return JsonKind::Other;
  OuterMembers members;
  // Only the first of two objects is looked at; a file of lines is no result of ours but the above.
  if (!Json::sax_parse(in, &members, nlohmann::json::input_format_t::json, false))
    return JsonKind::Broken;
  if (members.has_list("folds") && members.has_object("overall")) return JsonKind::CrossValidation;
  return members.has_list("runs") ? JsonKind::Prediction : JsonKind::Other;
}

}  // namespace jouletree::report
