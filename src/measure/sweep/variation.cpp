#include "measure/sweep/variation.hpp"

#include <algorithm>
#include <charconv>
#include <set>
#include <string_view>
#include <utility>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/text_table.hpp"
#include "jouletree/error.hpp"
#include "measure/sweep/size_list.hpp"

namespace jouletree::measure {
namespace {

[[noreturn]] void refuse(const std::string& problem) { throw Error(ErrorKind::BadInput, problem); }

/// Something with several sizes.
struct Axis {
  std::string name;
  std::vector<Dim> sizes;
};

/// A size of a shape: fixed, or that of an axis.
struct PatternSize {
  Dim fixed = 0;
  std::optional<std::size_t> axis;
};

struct Pattern {
  std::string input;
  std::vector<PatternSize> sizes;
  DataType type = DataType::Undefined;
  bool has_own_axis = false;  ///< Else it only repeats others.
};

struct VariedDim {
  std::string name;
  std::size_t axis = 0;
};

constexpr const char* kPatternHelp = "give NAME=SHAPE like input=1x3x{8,32,64}x{=}";

class VariationReader {
 public:
  explicit VariationReader(const Variation& variation) {
    for (const std::string& text : variation.patterns) patterns.push_back(read_pattern(text));
    for (const std::string& text : variation.dims) read_dim(text);
  }

  std::vector<Axis> axes;
  std::vector<Pattern> patterns;
  std::vector<VariedDim> dims;

 private:
  Pattern read_pattern(const std::string& text) {
    const std::string where = fmt::format("--vary {}", printable(text));
    const std::size_t equals = name_end(text);
    if (equals == std::string::npos || equals == 0)
      refuse(fmt::format("{}: {}", where, kPatternHelp));
    Pattern pattern;
    pattern.input = text.substr(0, equals);
    for (const Pattern& other : patterns)
      if (other.input == pattern.input) refuse(fmt::format("{}: the input is varied twice", where));
    std::string_view rest = std::string_view(text).substr(equals + 1);
    while (true) {
      pattern.sizes.push_back(take_size(rest, where, pattern));
      if (rest.empty()) break;
      if (rest.front() == ':') {
        pattern.type = type_of(rest.substr(1), where);
        break;
      }
      if (rest.front() != 'x') refuse(fmt::format("{}: {}", where, kPatternHelp));
      rest.remove_prefix(1);
    }
    return pattern;
  }

  /// Names may hold '=' themselves: the last one before any brace ends it.
  static std::size_t name_end(const std::string& text) { return text.rfind('=', text.find('{')); }

  static DataType type_of(std::string_view name, const std::string& where) {
    const auto type = data_type_from_name(std::string(name));
    if (!type) refuse(fmt::format("{}: there is no element type '{}'", where, printable(name)));
    return *type;
  }

  PatternSize take_size(std::string_view& rest, const std::string& where, Pattern& pattern) {
    if (!rest.starts_with('{')) {
      PatternSize size;
      const auto parsed = std::from_chars(rest.data(), rest.data() + rest.size(), size.fixed);
      if (parsed.ec != std::errc() || size.fixed < 0)
        refuse(fmt::format("{}: {}", where, kPatternHelp));
      rest.remove_prefix(static_cast<std::size_t>(parsed.ptr - rest.data()));
      return size;
    }
    const std::size_t end = rest.find('}');
    if (end == std::string_view::npos) refuse(fmt::format("{}: a brace is not closed", where));
    const std::string_view inside = rest.substr(1, end - 1);
    rest.remove_prefix(end + 1);
    if (inside == "=") {
      if (axes.empty()) {
        refuse(fmt::format(
            "{}: {{=}} repeats the sizes of the braces before it, and there are none", where));
      }
      return {0, axes.size() - 1};
    }
    pattern.has_own_axis = true;
    axes.push_back(
        {fmt::format("{}[{}]", pattern.input, pattern.sizes.size()), parse_sizes(inside, where)});
    return {0, axes.size() - 1};
  }

  void read_dim(const std::string& text) {
    const std::string where = fmt::format("--dim {}", printable(text));
    const std::size_t equals = text.rfind('=');
    if (equals == std::string::npos || equals == 0)
      refuse(where + ": give NAME=SIZES like seq_len=50:500:50");
    const std::string name = text.substr(0, equals);
    for (const VariedDim& other : dims)
      if (other.name == name) refuse(where + ": the dimension is given twice");
    axes.push_back({name, parse_sizes(std::string_view(text).substr(equals + 1), where)});
    dims.push_back({name, axes.size() - 1});
  }
};

/// Names of what the first dimension of the inputs is, in a file.
std::set<std::string> batch_symbols(const Graph& graph) {
  std::set<std::string> symbols;
  for (const ValueId input : graph.main.inputs) {
    const GraphValue& value = graph.values[input];
    if (value.constant || value.declared_dims.empty()) continue;
    const DeclaredDim& first = value.declared_dims.front();
    if (first.size == kUnknownDim && !first.symbol.empty()) symbols.emplace(first.symbol);
  }
  return symbols;
}

/// One value for every axis.
using Choice = std::vector<Dim>;

class Maker {
 public:
  Maker(const Variation& variation, const InputSettings& fixed, const Graph* graph)
      : read_(variation), variation_(variation), fixed_(fixed) {
    if (!variation.batches.empty()) find_batch(graph);
  }

  SweepFormats make() {
    refuse_too_many();
    SweepFormats made;
    made.size_name = size_name();
    Choice choice(read_.axes.size());
    choose(0, choice, made.formats);
    std::stable_sort(made.formats.begin(), made.formats.end(),
                     [](const SweepFormat& a, const SweepFormat& b) { return a.size < b.size; });
    return made;
  }

 private:
  void find_batch(const Graph* graph) {
    if (graph != nullptr) batch_symbols_ = batch_symbols(*graph);
    for (const VariedDim& dim : read_.dims) {
      if (batch_symbols_.contains(dim.name)) {
        refuse(
            fmt::format("--batch: '{}' is the batch of this model, and --dim {} sets it, too; "
                        "give one of both",
                        dim.name, dim.name));
      }
    }
    if (!read_.patterns.empty() || !batch_symbols_.empty()) return;
    refuse(graph == nullptr
               ? std::string("--batch: the file does not tell the shapes of its inputs; give one "
                             "with --vary, such as --vary input=1x3x{32,64}x{=}")
               : std::string("--batch: the first dimension of the inputs is fixed in this model; "
                             "leave --batch out, or give a shape with --vary"));
  }

  void refuse_too_many() const {
    std::size_t count = std::max<std::size_t>(1, variation_.batches.size()) *
                        std::max<std::size_t>(1, variation_.threads.size());
    for (const Axis& axis : read_.axes) {
      count *= axis.sizes.size();
      // Before it wraps around.
      if (count > 1000000000) break;
    }
    if (count > kMostFormats) {
      refuse(fmt::format(
          "these sizes make {} combinations, and a study has {} at most; give fewer "
          "sizes, or repeat those that belong together with {{=}}",
          count > 1000000000 ? std::string("more than a billion") : std::to_string(count),
          kMostFormats));
    }
  }

  [[nodiscard]] bool varies(std::size_t axis) const { return read_.axes[axis].sizes.size() > 1; }

  [[nodiscard]] bool any_varies() const {
    for (std::size_t axis = 0; axis < read_.axes.size(); ++axis)
      if (varies(axis)) return true;
    return false;
  }

  [[nodiscard]] std::string size_name() const {
    std::vector<std::string> names;
    for (std::size_t axis = 0; axis < read_.axes.size(); ++axis)
      if (varies(axis)) names.push_back(read_.axes[axis].name);
    if (!names.empty()) return fmt::format("{}", fmt::join(names, " × "));
    if (variation_.batches.size() > 1) return "batch";
    if (variation_.threads.size() > 1) return "threads";
    return read_.axes.empty() ? "batch" : read_.axes[0].name;
  }

  [[nodiscard]] double size_of(const Choice& choice, std::optional<Dim> batch,
                               std::optional<Dim> threads) const {
    double size = 1;
    for (std::size_t axis = 0; axis < choice.size(); ++axis)
      if (varies(axis)) size *= static_cast<double>(choice[axis]);
    if (any_varies()) return size;
    if (batch && variation_.batches.size() > 1) return static_cast<double>(*batch);
    if (threads && variation_.threads.size() > 1) return static_cast<double>(*threads);
    return static_cast<double>(choice.empty() ? batch.value_or(1) : choice[0]);
  }

  void choose(std::size_t axis, Choice& choice, std::vector<SweepFormat>& formats) const {
    if (axis < choice.size()) {
      for (const Dim size : read_.axes[axis].sizes) {
        choice[axis] = size;
        choose(axis + 1, choice, formats);
      }
      return;
    }
    const auto each = [](const std::vector<Dim>& values) {
      std::vector<std::optional<Dim>> all(values.begin(), values.end());
      if (all.empty()) all.emplace_back();
      return all;
    };
    for (const auto& batch : each(variation_.batches))
      for (const auto& threads : each(variation_.threads))
        formats.push_back(format_of(choice, batch, threads));
  }

  [[nodiscard]] SweepFormat format_of(const Choice& choice, std::optional<Dim> batch,
                                      std::optional<Dim> threads) const {
    SweepFormat format;
    format.inputs = fixed_;
    format.size = size_of(choice, batch, threads);
    format.batch = batch;
    if (threads) format.threads = static_cast<int>(*threads);
    std::vector<std::string> names;
    for (const Pattern& pattern : read_.patterns) {
      const Dims shape = shape_of(pattern, choice, batch);
      if (pattern.has_own_axis || read_.patterns.size() == 1)
        names.push_back(fmt::format("{}", fmt::join(shape, "x")));
      format.inputs.shapes[pattern.input] = shape;
      if (pattern.type != DataType::Undefined) format.inputs.types[pattern.input] = pattern.type;
    }
    for (const VariedDim& dim : read_.dims) {
      format.inputs.symbols[dim.name] = choice[dim.axis];
      format.dims[dim.name] = choice[dim.axis];
      if (varies(dim.axis)) names.push_back(std::to_string(choice[dim.axis]));
    }
    if (batch) {
      for (const std::string& symbol : batch_symbols_) format.inputs.symbols[symbol] = *batch;
      if (read_.patterns.empty()) names.push_back(fmt::format("batch{}", *batch));
    }
    if (threads) names.push_back(fmt::format("threads{}", *threads));
    format.name = names.empty() ? "as-it-is" : fmt::format("{}", fmt::join(names, "-"));
    return format;
  }

  [[nodiscard]] static Dims shape_of(const Pattern& pattern, const Choice& choice,
                                     std::optional<Dim> batch) {
    Dims shape;
    for (const PatternSize& size : pattern.sizes)
      shape.push_back(size.axis ? choice[*size.axis] : size.fixed);
    if (batch && !shape.empty() && !pattern.sizes[0].axis) shape[0] = *batch;
    return shape;
  }

  VariationReader read_;
  const Variation& variation_;
  const InputSettings& fixed_;
  std::set<std::string> batch_symbols_;
};

}  // namespace

SweepFormats formats_of(const Variation& variation, const InputSettings& fixed,
                        const Graph* graph) {
  return Maker(variation, fixed, graph).make();
}

}  // namespace jouletree::measure
