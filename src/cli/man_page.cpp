#include "cli/man_page.hpp"

#include <algorithm>
#include <cctype>
#include <sstream>

#include <fmt/format.h>

#include "cli/command_tree.hpp"
#include "cli/roff.hpp"

namespace jouletree::cli {
namespace {

constexpr const char* kProgramSections = R"(.SH EXIT STATUS
.TP
.B 0
Fine.
.TP
.B 1
The job ran but failed a check.
.TP
.B 2
Bad input or usage.
.TP
.B 3
Something this machine lacks, such as an engine.
.SH ENVIRONMENT
.TP
.B ONNXRUNTIME_ROOT
Folder of the ONNX Runtime to use; the library is in its \fIlib\fR.
.TP
.B JOULETREE_ENGINE_DIR
Folder of engine plug\-ins, in place of the installed one.
.SH FILES
.TP
.I ../lib/jouletree/
As seen from the folder of the program: engine plug\-ins.
)";

using Path = std::vector<std::string>;

std::string joined(const Path& path, const char* between) {
  std::string text;
  for (const std::string& word : path) text += (text.empty() ? "" : between) + word;
  return text;
}

/// "[OPTION]... -o FILE MODEL": what must be given is shown as such.
std::string arguments_of(const CLI::App& command) {
  std::string text = " [" + roff_italic("OPTION") + "]...";
  for (const CLI::Option* flag : shown_flags(command)) {
    if (flag->get_required())
      text += " " + roff_bold(names_of(*flag)[0]) + " " + roff_italic(value_name(*flag));
  }
  for (const CLI::Option* positional : shown_positionals(command)) {
    const std::string name =
        roff_italic(value_name(*positional)) + (repeats(*positional) ? "..." : "");
    text += positional->get_required() ? " " + name : " [" + name + "]";
  }
  if (!shown_commands(command).empty()) text += " " + roff_italic("COMMAND") + " ...";
  return text;
}

std::string item(const std::string& head, const std::string& text) {
  return ".TP\n" + head + "\n" + roff_text(text) + "\n";
}

std::string flag_item(const CLI::Option& flag) {
  std::string head;
  for (const std::string& name : names_of(flag))
    head += (head.empty() ? "" : ", ") + roff_bold(name);
  if (const std::string value = value_name(flag); !value.empty()) head += " " + roff_italic(value);
  return item(head, flag.get_description());
}

std::string items_of(const CLI::App& command) {
  std::string text;
  for (const CLI::Option* positional : shown_positionals(command))
    text += item(roff_italic(value_name(*positional)), positional->get_description());
  for (const CLI::Option* flag : shown_flags(command)) text += flag_item(*flag);
  return text;
}

/// Every command below this one, with its flags.
std::string commands_of(const CLI::App& command, const Path& path) {
  std::string text;
  for (const CLI::App* inner : shown_commands(command)) {
    Path inner_path = path;
    inner_path.push_back(inner->get_name());
    text += ".SS " + roff_text(joined(inner_path, " ")) + "\n" +
            roff_text(inner->get_description()) + ".\n.PP\n" + roff_bold(joined(inner_path, " ")) +
            arguments_of(*inner) + "\n" + items_of(*inner) + commands_of(*inner, inner_path);
  }
  return text;
}

/// The blocks of a footer that are examples, and the other ones.
struct Footer {
  std::string examples;
  std::string notes;
};

std::string verbatim(const std::string& block) {
  std::string text = ".PP\n.nf\n";
  std::istringstream lines(block);
  for (std::string line; std::getline(lines, line);) text += roff_text(line) + "\n";
  return text + ".fi\n";
}

std::string paragraph(const std::string& block) {
  const bool laid_out = block[0] == ' ' || block.find("\n ") != std::string::npos;
  if (laid_out) return verbatim(block);
  std::string words = block;
  std::replace(words.begin(), words.end(), '\n', ' ');
  return ".PP\n" + roff_text(words) + "\n";
}

void add_block(const std::string& block, Footer& footer) {
  if (block.empty()) return;
  const std::size_t first_line = block.find('\n');
  if (block.rfind("Example", 0) == 0 && first_line != std::string::npos) {
    footer.examples += verbatim(block.substr(first_line + 1));
  } else {
    footer.notes += paragraph(block);
  }
}

Footer parse_footer(const std::string& text) {
  Footer footer;
  std::istringstream lines(text);
  std::string block;
  for (std::string line; std::getline(lines, line);) {
    if (line.empty()) {
      add_block(block, footer);
      block.clear();
    } else {
      block += (block.empty() ? "" : "\n") + line;
    }
  }
  add_block(block, footer);
  return footer;
}

std::string see_also(const CLI::App& command, const Path& path) {
  std::vector<std::string> pages;
  if (path.size() > 1) pages.push_back(joined(Path(path.begin(), path.end() - 1), "-"));
  for (const CLI::App* inner : shown_commands(command))
    pages.push_back(joined(path, "-") + "-" + inner->get_name());
  std::string text = ".SH SEE ALSO\n";
  for (std::size_t i = 0; i < pages.size(); ++i)
    text += fmt::format(".BR {} (1){}\n", roff_text(pages[i]), i + 1 < pages.size() ? "," : "");
  return text;
}

std::string page_of(const CLI::App& command, const Path& path, const std::string& version) {
  const std::string name = joined(path, "-");
  std::string title = name;
  std::transform(title.begin(), title.end(), title.begin(),
                 [](unsigned char letter) { return static_cast<char>(std::toupper(letter)); });
  std::string summary = command.get_description();
  if (!summary.empty() && summary.back() == '.') summary.pop_back();
  const Footer footer = parse_footer(command.get_footer());
  std::string text = fmt::format(".TH {} 1 \"\" \"jouletree {}\" \"JouleTree manual\"\n",
                                 roff_text(title), version) +
                     ".SH NAME\n" + roff_text(name) + " \\- " + roff_text(summary) +
                     "\n.SH SYNOPSIS\n" + roff_bold(joined(path, " ")) + arguments_of(command) +
                     "\n.SH DESCRIPTION\n" + roff_text(summary) + ".\n" + footer.notes +
                     ".SH OPTIONS\n" + items_of(command);
  if (const std::string commands = commands_of(command, path); !commands.empty())
    text += ".SH COMMANDS\n" + commands;
  if (!footer.examples.empty()) text += ".SH EXAMPLES\n" + footer.examples;
  if (path.size() == 1) text += kProgramSections;
  return text + see_also(command, path);
}

void add_pages(const CLI::App& command, const Path& path, const std::string& version,
               std::vector<ManPage>& pages) {
  pages.push_back({joined(path, "-"), page_of(command, path, version)});
  for (const CLI::App* inner : shown_commands(command)) {
    Path inner_path = path;
    inner_path.push_back(inner->get_name());
    add_pages(*inner, inner_path, version, pages);
  }
}

}  // namespace

std::vector<ManPage> man_pages(const CLI::App& app, const std::string& version) {
  std::vector<ManPage> pages;
  add_pages(app, {app.get_name()}, version, pages);
  return pages;
}

}  // namespace jouletree::cli
