#include "report/serve/site.hpp"

#include <algorithm>

#include <fmt/format.h>

#include "base/json_problem.hpp"
#include "jouletree/error.hpp"
#include "report/http/http_status.hpp"
#include "report/page/served_page.hpp"
#include "report/serve/contained_path.hpp"
#include "report/serve/request_target.hpp"
#include "store/sql/location.hpp"

namespace jouletree::report {
namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* kHtml = "text/html; charset=utf-8";
constexpr const char* kJson = "application/json; charset=utf-8";
constexpr const char* kOwnPolicy =
    "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; base-uri 'none'; "
    "form-action 'none'; frame-ancestors 'none'";
/// What the page of a report needs to know of its data.
constexpr const char* kStateHeader = "JouleTree-State";

HttpAnswer answer_with(int status, const char* type, std::string body,
                       const std::string& policy = kOwnPolicy) {
  return {status,
          type,
          std::make_shared<const std::string>(std::move(body)),
          {{"Content-Security-Policy", policy},
           {"X-Content-Type-Options", "nosniff"},
           {"X-Frame-Options", "DENY"},
           {"Referrer-Policy", "no-referrer"},
           {"Cross-Origin-Resource-Policy", "same-origin"},
           {"Cache-Control", "no-store"}}};
}

std::string mark_text(std::uint64_t mark) { return fmt::format("{:016x}", mark); }

/// SQLite takes a file by any name so, also one with a '#' in it.
std::string database_in(const fs::path& file) {
  return std::string(store::sql::kSqlitePrefix) + file.string();
}

std::string first_of(const std::vector<std::string>& segments) {
  return segments.empty() ? "" : segments.front();
}

std::string of_query(const RequestTarget& target, const char* name) {
  const auto found = target.query.find(name);
  return found == target.query.end() ? "" : found->second;
}

}  // namespace

ServedPlace served_place(const std::string& given) {
  std::error_code error;
  if (fs::is_directory(given, error)) {
    const fs::path folder = fs::canonical(given, error);
    if (!error) static_cast<void>(fs::directory_iterator(folder, error));
    if (error) {
      throw Error(ErrorKind::BadInput,
                  fmt::format("{}: cannot be read: {}", given, error.message()));
    }
    return {folder, "", given};
  }
  if (!store::sql::names_database(given)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: {}; name a folder with results, or a database", given,
                            fs::exists(given, error) ? "is neither a folder nor a database"
                                                     : "does not exist"));
  }
  // One that cannot be read is told now.
  return {{}, given, list_database(given).place};
}

Site::Site(ServedPlace place, Access access, std::string program)
    : place_(std::move(place)),
      access_(std::move(access)),
      program_(std::move(program)),
      folder_(place_.folder) {}

HttpAnswer Site::answer(const HttpRequest& request) {
  try {
    if (request.method != "GET" && request.method != "HEAD") {
      HttpAnswer refused =
          message(http_status::kNotAllowed, "This server only shows: it takes GET and HEAD.");
      refused.headers.emplace_back("Allow", "GET, HEAD");
      return refused;
    }
    const auto target = parse_target(request.target);
    if (!target) return message(http_status::kBadRequest, "This is no address of this server.");
    switch (access_.judge(request, *target)) {
      case Access::Verdict::WrongHost:
        return message(http_status::kMisdirected,
                       "This server answers only to names of this machine: localhost, 127.0.0.1, "
                       "[::1].");
      case Access::Verdict::TokenNeeded: {
        HttpAnswer refused = message(
            http_status::kUnauthorized, "This server wants its token.",
            "Open the whole address that 'jouletree serve' printed, with ?token=… at its end. If "
            "you have just done so from another page, reload this one.");
        refused.headers.emplace_back("WWW-Authenticate", "Bearer");
        return refused;
      }
      case Access::Verdict::GrantedByAddress: return redirect_without_token(*target);
      case Access::Verdict::Granted: return answer_allowed(*target);
    }
  } catch (const Error& error) {
    return message(http_status::kUnreadable, error.what());
  } catch (const std::exception& error) {
    return message(http_status::kUnreadable, "This cannot be shown: " + json_problem(error));
  }
  return message(http_status::kBadRequest, "This is no address of this server.");
}

HttpAnswer Site::redirect_without_token(const RequestTarget& target) const {
  HttpAnswer answer = answer_with(http_status::kSeeOther, kHtml, "");
  answer.headers.emplace_back("Location", address_of(target, kTokenName));
  answer.headers.emplace_back("Set-Cookie", access_.cookie());
  return answer;
}

HttpAnswer Site::answer_allowed(const RequestTarget& target) {
  const std::string name = first_of(target.segments);
  if (target.segments.size() == 1) {
    if (name == "serve.css")
      return answer_with(http_status::kOk, "text/css; charset=utf-8", std::string(site_style()));
    if (name == "serve.js")
      return answer_with(http_status::kOk, "text/javascript; charset=utf-8",
                         std::string(site_script()));
    if (name == "favicon.ico") return answer_with(http_status::kNoContent, kHtml, "");
  }
  std::vector<std::string> place = target.segments;
  if (!place.empty()) place.erase(place.begin());
  const auto found = find(place);
  if (!found) {
    return message(http_status::kNotFound, "There is no such result.",
                   "It may have been moved, or a link leads out of the folder that is served.");
  }
  return view(name, *found, target);
}

HttpAnswer Site::view(const std::string& name, const Resource& of, const RequestTarget& target) {
  const bool is_result = of.kind == Resource::Kind::Result;
  const std::string model = of_query(target, "model");
  if (name.empty() || (name == "database" && of.kind == Resource::Kind::Database)) return index(of);
  if (name == "state") return state(of);
  if (name == "page" && (is_result || of.kind == Resource::Kind::Database || model.empty()))
    return page(of, model, false);
  if (name == "data") return page(of, model, true);
  if (name == "campaign" && of.kind == Resource::Kind::Database)
    return campaign(of, of_query(target, "name"));
  return message(http_status::kNotFound, "This is no address of this server.");
}

std::optional<Site::Resource> Site::find(const std::vector<std::string>& segments) {
  Resource found;
  if (place_.folder.empty()) {
    if (!segments.empty()) return std::nullopt;
    found.kind = Resource::Kind::Database;
    found.database = place_.database;
    found.name = place_.name;
    return found;
  }
  const auto path = contained_path(place_.folder, segments);
  if (!path) return std::nullopt;
  found.path = *path;
  for (const std::string& segment : segments) {
    found.place += "/" + percent_encoded(segment);
    found.name += (found.name.empty() ? "" : "/") + segment;
  }
  if (segments.empty()) found.name = place_.name;
  const auto all = folder_.results();
  const auto result =
      std::find_if(all->results.begin(), all->results.end(), [&](const FoundResult& one) {
        return one.path == "." ? *path == folder_.root() : folder_.root() / one.path == *path;
      });
  std::error_code error;
  if (result == all->results.end())
    return fs::is_directory(*path, error) ? std::optional(found) : std::nullopt;
  found.kind = Resource::Kind::Result;
  found.result = result->kind;
  if (result->kind == ResultKind::Database) {
    found.kind = Resource::Kind::Database;
    found.database = database_in(*path);
  }
  return found;
}

std::shared_ptr<const DatabaseList> Site::list_of(const std::string& database) {
  constexpr auto kLookAgain = 1s;
  std::shared_ptr<WatchedDatabase> watched;
  {
    const std::lock_guard lock(mutex_);
    auto& one = databases_[database];
    if (!one) one = std::make_shared<WatchedDatabase>();
    watched = one;
  }
  const std::lock_guard lock(watched->mutex);
  const auto now = std::chrono::steady_clock::now();
  if (now >= watched->looked + kLookAgain) {
    watched->list.reset();
    watched->problem.clear();
    try {
      watched->list = std::make_shared<const DatabaseList>(list_database(database));
    } catch (const Error& error) {
      watched->problem = error.what();
    }
    watched->looked = std::chrono::steady_clock::now();
  }
  if (!watched->list) throw Error(ErrorKind::BadInput, watched->problem);
  return watched->list;
}

Site::State Site::state_of_resource(const Resource& of) {
  if (of.kind == Resource::Kind::Database) {
    const auto list = list_of(of.database);
    return {list->mark, list->is_going_on()};
  }
  if (of.kind == Resource::Kind::Folder || of.place.empty()) {
    const auto found = folder_.results();
    return {found->mark, found->is_going_on()};
  }
  const ResultState state = report::state_of(of.result, of.path);
  return {state.mark, progress_of(of.result, of.path, state).is_going_on};
}

SiteFrame Site::frame_of(const Resource& of, const State& state) const {
  SiteFrame frame;
  frame.title = of.name;
  frame.program = program_;
  frame.state = "/state" + of.place;
  frame.mark = mark_text(state.mark);
  if (!of.place.empty()) frame.above = "/";
  return frame;
}

HttpAnswer Site::message(int status, std::string_view text, std::string_view advice) const {
  SiteFrame frame;
  frame.title = status == http_status::kNotFound ? "Not found" : "JouleTree";
  frame.program = program_;
  if (status == http_status::kNotFound) frame.above = "/";
  return answer_with(status, kHtml, message_page(frame, text, advice));
}

HttpAnswer Site::index(const Resource& of) {
  if (of.kind != Resource::Kind::Database) {
    const auto found = folder_.results();
    return answer_with(http_status::kOk, kHtml,
                       folder_page(frame_of(of, {found->mark, found->is_going_on()}), *found));
  }
  std::shared_ptr<const DatabaseList> list;
  try {
    list = list_of(of.database);
  } catch (const Error& error) {
    // A server may come back.
    return answer_with(http_status::kUnreadable, kHtml,
                       message_page(frame_of(of, {}), error.what()));
  }
  return answer_with(
      http_status::kOk, kHtml,
      database_page(frame_of(of, {list->mark, list->is_going_on()}), *list, of.place));
}

HttpAnswer Site::campaign(const Resource& of, const std::string& name) {
  const auto list = list_of(of.database);
  const auto found =
      std::find_if(list->campaigns.begin(), list->campaigns.end(),
                   [&](const store::CampaignStatus& one) { return one.name == name; });
  if (found == list->campaigns.end())
    return message(http_status::kNotFound, "There is no such campaign.");
  SiteFrame frame = frame_of(of, {list->mark, list->is_going_on()});
  frame.title = "Campaign " + name;
  frame.above = of.place.empty() ? "/" : "/database" + of.place;
  return answer_with(http_status::kOk, kHtml, campaign_page(frame, *found));
}

HttpAnswer Site::state(const Resource& of) {
  const State state = state_of_resource(of);
  return answer_with(http_status::kOk, kJson,
                     fmt::format("{{\"state\":\"{}\",\"going_on\":{}}}\n", mark_text(state.mark),
                                 state.is_going_on));
}

std::size_t Site::profiles_below(const fs::path& folder) {
  const auto is_below = [&](const fs::path& path) {
    const fs::path seen = (folder_.root() / path).lexically_relative(folder);
    return !seen.empty() && *seen.begin() != "..";
  };
  const auto found = folder_.results();
  // The command would follow the links of these.
  if (std::any_of(found->led_out.begin(), found->led_out.end(), is_below)) return 0;
  return static_cast<std::size_t>(
      std::count_if(found->results.begin(), found->results.end(), [&](const FoundResult& one) {
        return one.kind == ResultKind::Profile && is_below(one.path);
      }));
}

HttpAnswer Site::page(const Resource& of, const std::string& model, bool is_data) {
  if (of.kind == Resource::Kind::Folder) {
    const std::size_t profiles = profiles_below(of.path);
    if (profiles == 0 || profiles > kMostSideBySide) {
      return message(http_status::kNotFound,
                     fmt::format("This folder has no page: up to {} profiles are shown side by "
                                 "side, without links that lead out of the folder that is served.",
                                 kMostSideBySide));
    }
  }
  // Looked at before the page is made: what changes meanwhile is shown by the next one.
  const State state = state_of_resource(of);
  std::string given = of.kind == Resource::Kind::Database ? of.database : of.path.string();
  if (!model.empty()) given += "#" + model;
  const MadePage made = pages_.page_of(given, state.mark);
  const auto data = made.html ? data_of_page(*made.html) : std::nullopt;
  if (!data) {
    const SiteFrame frame = frame_of(of, state);
    const std::string problem = made.problem.empty() ? "the page is broken" : made.problem;
    const char* const advice =
        state.is_going_on ? "It is still being written. This page shows it as soon as it can be "
                            "read."
                          : "";
    return answer_with(http_status::kUnreadable, kHtml, message_page(frame, problem, advice));
  }
  const std::string mark = mark_text(state.mark);
  if (is_data) {
    HttpAnswer answer = answer_with(http_status::kOk, kJson, std::string(*data));
    answer.headers.emplace_back(kStateHeader, mark);
    return answer;
  }
  const std::string query = model.empty() ? "" : "?model=" + percent_encoded(model);
  const bool is_in_folder_database = of.kind == Resource::Kind::Database && !of.place.empty();
  ServedPage page = served_page(*data,
                                {"/state" + of.place, "/data" + of.place + query,
                                 is_in_folder_database ? "/database" + of.place : "/"},
                                mark);
  return answer_with(http_status::kOk, kHtml, std::move(page.html), page.policy);
}

}  // namespace jouletree::report
