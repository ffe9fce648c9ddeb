#pragma once

#include <chrono>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <string>

#include "report/http/http_message.hpp"
#include "report/serve/access.hpp"
#include "report/serve/made_pages.hpp"
#include "report/serve/result_folder.hpp"
#include "report/serve/served_database.hpp"
#include "report/serve/site_pages.hpp"

namespace jouletree::report {

/// What a site shows: a folder or a database.
struct ServedPlace {
  std::filesystem::path folder{};  ///< Canonical; empty for a database.
  std::string database{};          ///< As `--db` takes it.
  std::string name;                ///< For people, without a password.
};
/// What a user named. Throws Error(BadInput) where it is neither.
[[nodiscard]] ServedPlace served_place(const std::string& given);

/// Answers requests for the results in a place, and changes nothing there. Thread-safe.
class Site {
 public:
  Site(ServedPlace place, Access access, std::string program);

  [[nodiscard]] HttpAnswer answer(const HttpRequest& request);
  /// Ends what takes long; to be called before the server ends.
  void stop() { pages_.stop(); }

 private:
  /// What an address stands for.
  struct Resource {
    enum class Kind { Result, Folder, Database } kind = Kind::Folder;
    ResultKind result = ResultKind::Profile;  ///< Of a result.
    std::filesystem::path path{};             ///< Of a result or a folder.
    std::string database{};                   ///< Of a database.
    std::string place{};  ///< In addresses: encoded, with a slash before it, or empty.
    std::string name;     ///< For people.
  };
  struct WatchedDatabase {
    std::mutex mutex;
    std::chrono::steady_clock::time_point looked{};
    std::shared_ptr<const DatabaseList> list;
    std::string problem;
  };

  [[nodiscard]] HttpAnswer answer_allowed(const RequestTarget& target);
  [[nodiscard]] HttpAnswer view(const std::string& name, const Resource& of,
                                const RequestTarget& target);
  [[nodiscard]] HttpAnswer index(const Resource& of);
  [[nodiscard]] HttpAnswer campaign(const Resource& of, const std::string& name);
  [[nodiscard]] HttpAnswer state(const Resource& of);
  /// The page, or its data alone.
  [[nodiscard]] HttpAnswer page(const Resource& of, const std::string& model, bool is_data);
  [[nodiscard]] HttpAnswer redirect_without_token(const RequestTarget& target) const;

  [[nodiscard]] std::optional<Resource> find(const std::vector<std::string>& segments);
  [[nodiscard]] std::shared_ptr<const DatabaseList> list_of(const std::string& database);
  /// Changes whenever what an address shows does; and whether that is to be expected.
  struct State {
    std::uint64_t mark = 0;
    bool is_going_on = false;
  };
  [[nodiscard]] State state_of_resource(const Resource& of);
  [[nodiscard]] std::size_t profiles_below(const std::filesystem::path& folder);
  [[nodiscard]] SiteFrame frame_of(const Resource& of, const State& state) const;
  [[nodiscard]] HttpAnswer message(int status, std::string_view text,
                                   std::string_view advice = {}) const;

  ServedPlace place_;
  Access access_;
  std::string program_;
  ResultFolder folder_;
  MadePages pages_;
  std::mutex mutex_;
  std::map<std::string, std::shared_ptr<WatchedDatabase>> databases_;
};

}  // namespace jouletree::report
