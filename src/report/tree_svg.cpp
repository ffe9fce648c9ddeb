#include <algorithm>
#include <array>
#include <map>
#include <ostream>
#include <vector>

#include <fmt/format.h>

#include "base/text_table.hpp"
#include "report/si_text.hpp"
#include "report/tree_picture.hpp"
#include "report/xml_text.hpp"

namespace jouletree::report {
namespace {

constexpr double kTreeWidth = 1200;
constexpr double kTreeMargin = 10;
constexpr double kTreeTop = 46;
constexpr double kTreeRow = 24;
constexpr double kTreeLegendRow = 20;
constexpr double kTreeLetter = 6.8;  ///< Width of most letters.
constexpr double kNarrowest = 0.5;   ///< What is narrower is not drawn.

/// Of types of operators, the most costly first (Okabe and Ito, with enough contrast to black).
constexpr std::array kTypeColours = {"#56B4E9", "#E69F00", "#009E73", "#CC79A7",
                                     "#F0E442", "#D55E00", "#9DA9E0"};
constexpr const char* kOtherColour = "#C4C4C4";
constexpr const char* kModuleColour = "#ECEFF1";

/// A row of the tree with its place.
struct TreeBox {
  const ProfileNode* node = nullptr;
  std::size_t parent = 0;
  double weight = 0;  ///< What it adds up to, or takes by itself where that is more.
  double inside = 0;  ///< Sum of the weights of its children.
  double x = 0;
  double width = 0;
  double used = 0;  ///< Of its width, by children that have their place.
};

class TreePicture {
 public:
  TreePicture(const store::ProfileView& view, std::optional<int> depth)
      : view_(view), by_time_(view.time.figure.value.has_value()) {
    std::vector<std::size_t> above;
    for (const ProfileNode& node : view.tree) {
      const auto level = static_cast<std::size_t>(std::max(0, node.level));
      above.resize(level + 1);
      above[level] = boxes_.size();
      boxes_.push_back({&node, level == 0 ? 0 : above[level - 1]});
      if (!depth || node.level <= *depth) deepest_ = std::max(deepest_, node.level);
    }
    place();
    choose_colours();
  }

  void print(std::ostream& out) const {
    const double legend = kTreeTop + kTreeRow * (deepest_ + 1) + kTreeLegendRow;
    const double height = legend + kTreeLegendRow;
    out << fmt::format(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1:.0f}\" "
        "viewBox=\"0 0 {0} {1:.0f}\" font-family=\"sans-serif\" font-size=\"12\">\n"
        "<rect width=\"100%\" height=\"100%\" fill=\"#ffffff\"/>\n",
        kTreeWidth, height);
    out << fmt::format("<text x=\"{}\" y=\"20\" font-size=\"15\">{}</text>\n", kTreeMargin,
                       xml_text(printable(view_.model)));
    out << fmt::format("<text x=\"{}\" y=\"38\" fill=\"#555555\">{}</text>\n", kTreeMargin,
                       xml_text(subtitle()));
    for (const TreeBox& box : boxes_)
      if (box.node->level <= deepest_ && box.width >= kNarrowest) print_box(box, out);
    print_legend(legend, out);
    out << "</svg>\n";
  }

 private:
  [[nodiscard]] double cost_of(const ProfileNode& node) const {
    return std::max(0.0, (by_time_ ? node.time_s : node.energy_j).value_or(0));
  }

  void place() {
    for (std::size_t i = boxes_.size(); i-- > 0;) {
      TreeBox& box = boxes_[i];
      box.weight = std::max(cost_of(*box.node), box.inside);
      if (i > 0) boxes_[box.parent].inside += box.weight;
    }
    for (std::size_t i = 0; i < boxes_.size(); ++i) {
      TreeBox& box = boxes_[i];
      if (i == 0) {
        box.x = kTreeMargin;
        box.width = kTreeWidth - 2 * kTreeMargin;
        continue;
      }
      TreeBox& parent = boxes_[box.parent];
      box.width = parent.weight > 0 ? parent.width * box.weight / parent.weight : 0;
      box.x = parent.x + parent.used;
      parent.used += box.width;
    }
  }

  void choose_colours() {
    std::map<std::string, double> costs;
    for (const TreeBox& box : boxes_)
      if (box.node->kind == "operator") costs[box.node->type] += box.weight;
    for (const auto& [type, cost] : costs) types_.emplace_back(-cost, type);
    std::sort(types_.begin(), types_.end());
    if (types_.size() > kTypeColours.size()) types_.resize(kTypeColours.size());
  }

  [[nodiscard]] const char* colour_of(const ProfileNode& node) const {
    if (node.kind != "operator") return kModuleColour;
    for (std::size_t i = 0; i < types_.size(); ++i)
      if (types_[i].second == node.type) return kTypeColours[i];
    return kOtherColour;
  }

  [[nodiscard]] std::string subtitle() const {
    const auto with_how = [](const ProfileNumber& number, const char* unit) {
      return si_text(number.figure.value, unit) +
             (number.provenance.empty() ? "" : " (" + number.provenance + ")");
    };
    return fmt::format("{}: {}, {}; width: {}", printable(view_.engine), with_how(view_.time, "s"),
                       with_how(view_.energy, "J"), by_time_ ? "time" : "energy");
  }

  void print_box(const TreeBox& box, std::ostream& out) const {
    const ProfileNode& node = *box.node;
    const std::string name = printable(node.level == 0 ? view_.model : node.name);
    const double y = kTreeTop + kTreeRow * node.level;
    // Gaps would hide what is a pixel wide.
    const double gap = box.width > 3 ? 1 : 0;
    std::string words = node.level == 0 ? name : printable(node.scope);
    if (!node.type.empty()) words += ", " + printable(node.type);
    if (node.time_s) words += ", " + si_text(*node.time_s, "s");
    if (node.energy_j) words += ", " + si_text(*node.energy_j, "J");
    out << fmt::format(
        "<g><title>{}</title><rect x=\"{:.2f}\" y=\"{:.0f}\" width=\"{:.2f}\" height=\"{:.0f}\" "
        "fill=\"{}\"/>",
        xml_text(words), box.x, y, box.width - gap, kTreeRow - 1, colour_of(node));
    if (kTreeLetter * static_cast<double>(display_width(name)) + 6 < box.width) {
      out << fmt::format("<text x=\"{:.2f}\" y=\"{:.0f}\">{}</text>", box.x + 3, y + 16,
                         xml_text(name));
    }
    out << "</g>\n";
  }

  void print_legend(double y, std::ostream& out) const {
    double x = kTreeMargin;
    for (std::size_t i = 0; i < types_.size(); ++i) {
      const std::string name = printable(types_[i].second);
      out << fmt::format(
          "<rect x=\"{:.1f}\" y=\"{:.0f}\" width=\"11\" height=\"11\" fill=\"{}\"/>"
          "<text x=\"{:.1f}\" y=\"{:.0f}\">{}</text>\n",
          x, y - 10, kTypeColours[i], x + 15, y, xml_text(name));
      x += 30 + kTreeLetter * static_cast<double>(display_width(name));
    }
  }

  const store::ProfileView& view_;
  bool by_time_ = true;
  std::vector<TreeBox> boxes_;
  int deepest_ = 0;
  std::vector<std::pair<double, std::string>> types_;  ///< The most costly first.
};

}  // namespace

void print_tree_svg(const store::ProfileView& view, std::optional<int> depth, std::ostream& out) {
  TreePicture(view, depth).print(out);
}

}  // namespace jouletree::report
