#include <iostream>
#include <memory>

#include <fmt/format.h>

#include "base/message.hpp"
#include "base/number_format.hpp"
#include "base/number_of.hpp"
#include "base/replaced_file.hpp"
#include "base/text_table.hpp"
#include "cli/choice.hpp"
#include "cli/command.hpp"
#include "cli/input_options.hpp"
#include "cli/output.hpp"
#include "cli/plugin_options.hpp"
#include "report/page/page_parts.hpp"
#include "report/page/report_page.hpp"
#include "version.hpp"

namespace jouletree::cli {
namespace {

enum class PageFormat { Html, Json };

struct ReportOptions {
  std::vector<std::string> paths;
  std::string file;
  InputOptions inputs;
  PluginOptions plugins;
  PageFormat format = PageFormat::Html;
};

constexpr const char* kReportFooter =
    "Examples:\n"
    "  jouletree report profiles/resnet18 -o report.html\n"
    "  jouletree report before after -o compared.html   (folders of profiles, side by side)\n"
    "  jouletree report profiles/bert bert.onnx -o bert.html   (with its memory, from the model)\n"
    "  jouletree report profiles/bert prediction.json crossvalidation.json -o bert.html\n"
    "\n"
    "Takes folders of profiles, of sweeps and of recordings ('jouletree run -o'), what 'jouletree\n"
    "predict' and 'crossvalidate' printed with --format json, tree files, models of databases\n"
    "(lab.sqlite#resnet-18), model files and names of the zoo, in any mix. The page is one file\n"
    "that opens from disk and fetches nothing.\n"
    "A prediction of a model stands beside what was measured of it. What cannot be read is listed\n"
    "on the page and on standard error. --format json writes the data of the page alone.";

void run(const ReportOptions& options) {
  // Before anything is read: in a program without the page all that work would be for nothing.
  if (options.format == PageFormat::Html) static_cast<void>(report::page_parts());
  tree::NotedMetrics metrics = options.plugins.metrics();
  const report::PageContent content = report::page_content(
      options.paths, options.inputs.settings(), fmt::format("jouletree {}", kVersion), metrics);
  for (const std::string& problem : content.problems) say(problem);
  const std::string text =
      options.format == PageFormat::Html
          ? report::page_text(content.data)
          : content.data.dump(1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  if (options.file == "-") {
    std::cout << text;
    finish_output();
  } else {
    replace_file(options.file, text);
    say(fmt::format("{}: {}, {}", options.file, number_of(content.items, "result"),
                    shortened_bytes(static_cast<double>(text.size()))));
  }
  throw_problems(metrics);
}

}  // namespace

void add_report(CLI::App& app) {
  const auto options = std::make_shared<ReportOptions>();
  CLI::App* command =
      app.add_subcommand("report",
                         "Write one page that shows results in a browser, without a "
                         "network");
  command->footer(kReportFooter);
  command
      ->add_option("path", options->paths,
                   "Folders of profiles, sweeps and recordings, predictions and cross-validations "
                   "as JSON, tree "
                   "files, databases, models; any mix")
      ->required()
      ->type_name("PATH");
  command
      ->add_option("-o,--output", options->file,
                   "Write the page to this file; - is standard output")
      ->required()
      ->type_name("FILE");
  options->inputs.add_to(*command);
  options->plugins.add_to(*command);
  add_choice<PageFormat>(*command, "--format", options->format,
                         {{"html", PageFormat::Html}, {"json", PageFormat::Json}},
                         "What to write (default: html)");
  command->callback([options] { run(*options); });
}

}  // namespace jouletree::cli
