#include "report/serve/site_pages.hpp"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "base/display_width.hpp"
#include "base/number_of.hpp"
#include "campaign/time_left.hpp"
#include "report/campaign_report.hpp"
#include "report/serve/request_target.hpp"
#include "report/si_text.hpp"
#include "report/xml_text.hpp"
#include "store/calendar.hpp"
#include "store/database/model_choice.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;
using store::ItemStatus;

std::string html_of(std::string_view text) { return xml_text(printable(text)); }

std::string page_in(const SiteFrame& frame, const std::string& content) {
  const std::string live = frame.state.empty() ? ""
                                               : fmt::format(
                                                     "<meta name=\"jouletree-live\" content=\"{}\" "
                                                     "data-state=\"{}\">\n",
                                                     xml_text(frame.state), frame.mark);
  const std::string above = frame.above.empty() ? ""
                                                : fmt::format("<a href=\"{}\">← All results</a>\n",
                                                              xml_text(frame.above));
  return fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
      "<meta name=\"color-scheme\" content=\"light dark\">\n{}<title>{} – JouleTree</title>\n"
      "<link rel=\"stylesheet\" href=\"/serve.css\">\n<script src=\"/serve.js\" defer></script>\n"
      "</head>\n<body>\n<header>{}<h1>{}</h1>\n<p id=\"live\" role=\"status\"></p></header>\n"
      "<main>\n{}</main>\n<footer>Served by {}, which only reads. The page asks this server for "
      "news and nobody else.</footer>\n</body>\n</html>\n",
      live, html_of(frame.title), above, html_of(frame.title), content, html_of(frame.program));
}

std::string time_of(fs::file_time_type changed) {
  constexpr std::size_t kToSeconds = 19;
  const auto system =
      std::chrono::time_point_cast<WallTime::duration>(fs::file_time_type::clock::to_sys(changed));
  return store::date_text(system).substr(0, kToSeconds);
}

std::string state_cell(const ResultProgress& progress) {
  if (progress.words.empty()) return "<td></td>";
  return fmt::format("<td><span class=\"{}\">{}</span></td>",
                     progress.is_going_on ? "going" : "held", html_of(progress.words));
}

std::string row_of(const FoundResult& one, const std::string& root_name) {
  const std::string path = one.path == "." ? "" : "/" + encoded_path(one.path.string());
  const std::string name = html_of(one.path == "." ? root_name : one.path.string());
  const char* const view = one.kind == ResultKind::Database ? "database" : "page";
  const std::string link =
      one.kind == ResultKind::Unfinished
          ? name
          : fmt::format("<a href=\"/{}{}\">{}</a>", view, xml_text(path), name);
  return fmt::format(
      "<tr><th scope=\"row\">{}</th><td>{}</td><td>{}</td>{}<td class=\"number\">{}"
      "</td></tr>\n",
      link, name_of(one.kind), html_of(one.summary), state_cell(one.progress),
      time_of(one.state.changed));
}

/// Folders with a few profiles, and those with their folders, too.
std::string side_by_side(const FoundResults& found) {
  constexpr std::size_t kMostLinks = 20;
  std::map<fs::path, std::size_t> profiles;
  for (const FoundResult& one : found.results) {
    if (one.kind != ResultKind::Profile || one.path == ".") continue;
    for (fs::path above = one.path.parent_path();; above = above.parent_path()) {
      ++profiles[above];
      if (above.empty()) break;
    }
  }
  std::string links;
  std::size_t count = 0;
  for (const auto& [folder, number] : profiles) {
    if (number < 2 || number > kMostSideBySide || ++count > kMostLinks) continue;
    const std::string name = folder.empty() ? "the whole folder" : folder.string();
    links += fmt::format("<li><a href=\"/page{}\">{}</a>: {}</li>\n",
                         folder.empty() ? "" : "/" + encoded_path(folder.string()), html_of(name),
                         number_of(number, "profile"));
  }
  return links.empty() ? "" : fmt::format("<h2>Side by side</h2>\n<ul>\n{}</ul>\n", links);
}

std::string problems_of(const std::vector<std::string>& problems) {
  std::string text;
  for (const std::string& one : problems)
    text += fmt::format("<p class=\"warning\">{}</p>\n", html_of(one));
  return text;
}

constexpr std::size_t kMostRows = 1000;
constexpr const char* kTableBegin = "<div class=\"wide\"><table>\n";
constexpr const char* kTableEnd = "</tbody></table></div>\n";

std::string campaign_line(const store::CampaignStatus& campaign) {
  const auto counts = counts_of(campaign);
  std::size_t lost = 0;
  for (const ItemStatus& item : campaign.items)
    if (item.lost) ++lost;
  std::string line =
      fmt::format("{} of {} done, {} waiting, {} running, {} failed", counts.done,
                  number_of(counts.all(), "item"), counts.waiting, counts.running, counts.failed);
  if (lost > 0) line += fmt::format(" ({} lost their worker)", number_of(lost, "item"));
  const std::string left = campaign::time_left_text(counts);
  return left.empty() ? line : line + "; " + left;
}

std::string progress_bar(const store::CampaignStatus& campaign) {
  const auto counts = counts_of(campaign);
  return fmt::format("<progress max=\"{}\" value=\"{}\"></progress>",
                     std::max<std::int64_t>(1, counts.all()), counts.done + counts.failed);
}

}  // namespace

std::string folder_page(const SiteFrame& frame, const FoundResults& found) {
  std::string content = problems_of(found.problems);
  if (found.results.empty()) {
    content +=
        "<p>Nothing is here yet. Profiles, sweeps, recordings, predictions, cross-validations and "
        "databases show up as soon as they are written below this folder.</p>\n";
    return page_in(frame, content);
  }
  content += fmt::format(
      "{}<thead><tr><th>Result</th><th>Kind</th><th>What it is</th><th>State"
      "</th><th>Changed</th></tr></thead>\n<tbody>\n",
      kTableBegin);
  const std::size_t rows = std::min(found.results.size(), kMostRows);
  for (std::size_t i = 0; i < rows; ++i) content += row_of(found.results[i], frame.title);
  content += kTableEnd;
  if (rows < found.results.size()) {
    content += fmt::format("<p>{} are not listed; serve a folder below this one to see them.</p>\n",
                           number_of(found.results.size() - rows, "older result"));
  }
  return page_in(frame, content + side_by_side(found));
}

std::string database_page(const SiteFrame& frame, const DatabaseList& list,
                          const std::string& place) {
  std::string content;
  if (!list.campaigns.empty()) {
    content += fmt::format("<h2>Campaigns</h2>\n{}<tbody>\n", kTableBegin);
    for (const store::CampaignStatus& campaign : list.campaigns) {
      content += fmt::format(
          "<tr><th scope=\"row\"><a href=\"/campaign{}?name={}\">{}</a></th><td>{}</td><td>{}</td>"
          "</tr>\n",
          xml_text(place), percent_encoded(campaign.name), html_of(campaign.name),
          progress_bar(campaign), html_of(campaign_line(campaign)));
    }
    content += kTableEnd;
  }
  content += "<h2>Models</h2>\n";
  if (list.models.empty()) {
    content += "<p>No whole model was measured yet.</p>\n";
    return page_in(frame, content);
  }
  content += fmt::format(
      "{}<thead><tr><th>Model</th><th>Measurements of the whole</th><th>Newest (UTC)</th></tr>"
      "</thead>\n<tbody>\n",
      kTableBegin);
  for (const ListedModel& model : list.models) {
    content += fmt::format(
        "<tr><th scope=\"row\"><a href=\"/page{}?model={}\">{}</a></th><td class=\"number\">{}</td>"
        "<td class=\"number\">{}</td></tr>\n",
        xml_text(place), percent_encoded(model.name), html_of(model.name), model.measurements,
        html_of(model.newest));
  }
  content += kTableEnd;
  if (list.models.size() > 1 && list.models.size() <= store::kMostModels) {
    content += fmt::format(
        "<h2>Side by side</h2>\n<ul><li><a href=\"/page{}\">all models</a></li>"
        "</ul>\n",
        xml_text(place));
  }
  return page_in(frame, content);
}

std::string campaign_page(const SiteFrame& frame, const store::CampaignStatus& campaign) {
  std::string content = fmt::format(
      "<p>{} {}</p>\n{}<thead><tr><th>Item</th><th>State</th><th>Worker</th><th>Took</th>"
      "<th>Attempts</th><th>Ended (UTC)</th><th>Why it failed</th></tr></thead>\n<tbody>\n",
      progress_bar(campaign), html_of(campaign_line(campaign)), kTableBegin);
  for (const ItemStatus& item : campaign.items) {
    const bool runs = item.state == ItemStatus::State::Running && !item.lost;
    const bool failed = item.state == ItemStatus::State::Failed || item.lost;
    content += fmt::format(
        "<tr><th scope=\"row\">{}</th><td><span class=\"{}\">{}{}</span></td><td>{}</td>"
        "<td class=\"number\">{}</td><td class=\"number\">{}</td><td class=\"number\">{}</td>"
        "<td>{}</td></tr>\n",
        html_of(item.label),
        runs     ? "going"
        : failed ? "held"
                 : "",
        name_of(item.state), item.lost ? ", lost: returns to the queue" : "", html_of(item.worker),
        item.seconds ? duration_text(*item.seconds) : "", item.attempts, html_of(item.finished_at),
        html_of(item.reason));
  }
  return page_in(frame, content + kTableEnd);
}

std::string message_page(const SiteFrame& frame, std::string_view message,
                         std::string_view advice) {
  std::string content = fmt::format("<p class=\"warning\">{}</p>\n", html_of(message));
  if (!advice.empty()) content += fmt::format("<p>{}</p>\n", html_of(advice));
  return page_in(frame, content);
}

std::string_view site_script() {
  return R"js("use strict";
(() => {
  const live = () => document.querySelector("meta[name=jouletree-live]");
  const said = document.getElementById("live");
  if (!live()) return;
  const kEvery = 2000;
  const say = (text) => { if (said.textContent !== text) said.textContent = text; };
  const ask = async (address) => {
    const answer = await fetch(address, { cache: "no-store", credentials: "same-origin" });
    if (answer.ok) return answer;
    throw new Error(answer.status === 422 ? "it cannot be read at the moment" : `the server answers ${answer.status}`);
  };
  const replace = async () => {
    // What cannot be read yet is a page, too.
    const html = await (await fetch(location.href, { cache: "no-store", credentials: "same-origin" })).text();
    const page = new DOMParser().parseFromString(html, "text/html");
    const [fresh, mark] = [page.querySelector("main"), page.querySelector("meta[name=jouletree-live]")];
    // A page of results has taken the place of this one.
    if (!fresh || !mark || mark.dataset.data) return location.reload();
    document.querySelector("main").replaceWith(document.importNode(fresh, true));
    live().dataset.state = mark.dataset.state;
  };
  const look = async () => {
    if (!document.hidden) {
      try {
        const { state } = await (await ask(live().content)).json();
        if (state !== live().dataset.state) await replace();
        say("live");
      } catch (error) {
        say(error instanceof TypeError ? "the server does not answer; trying again" : `not the newest: ${error.message}`);
      }
    }
    setTimeout(look, kEvery);
  };
  say("live");
  setTimeout(look, kEvery);
})();
)js";
}

std::string_view site_style() {
  return R"css(:root { color-scheme: light dark; --page: #f6f7f8; --surface: #fff; --ink: #16202a; --muted: #55626f; --line: #d5dbe1; --accent: #1c568f; --warn: #fff2d6; --warn-line: #a86400; --going: #0f5c52; }
@media (prefers-color-scheme: dark) {
  :root { --page: #0f1418; --surface: #171d23; --ink: #e6ebf0; --muted: #a3afba; --line: #323c46; --accent: #8fc1f2; --warn: #3a2d10; --warn-line: #e0a94a; --going: #4fc3a1; }
}
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 1240px; padding: 0 20px 40px; background: var(--page); color: var(--ink); overflow-wrap: anywhere; font: 15px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "DejaVu Sans", sans-serif; }
header { display: flex; flex-wrap: wrap; gap: 4px 18px; align-items: baseline; padding: 18px 0 12px; }
h1 { font-size: 1.35rem; margin: 0; flex: 1 1 auto; }
h2 { font-size: 1.1rem; margin: 22px 0 8px; }
a { color: var(--accent); }
a:focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
#live, footer { color: var(--muted); font-size: 0.86rem; margin: 0; }
footer { margin-top: 28px; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; width: 100%; background: var(--surface); border: 1px solid var(--line); }
th, td { text-align: left; vertical-align: top; padding: 6px 12px; border-top: 1px solid var(--line); font-weight: 400; min-width: 5em; }
thead th { color: var(--muted); font-size: 0.86rem; border-top: 0; overflow-wrap: normal; }
.number { font-variant-numeric: tabular-nums; }
.going { color: var(--going); font-weight: 600; }
.held { color: var(--warn-line); }
.warning { background: var(--warn); border-left: 4px solid var(--warn-line); padding: 6px 10px; }
progress { width: 12em; }
)css";
}

}  // namespace jouletree::report
