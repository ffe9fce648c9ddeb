#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "store/database/campaign_queue.hpp"

namespace jouletree::report {

struct ListedModel {
  std::string name;
  std::string newest;  ///< UTC; empty: unknown.
  std::int64_t measurements = 0;
};

/// What the site shows of a database.
struct DatabaseList {
  std::string place;                             ///< Without a password.
  std::vector<ListedModel> models;               ///< Newest first.
  std::vector<store::CampaignStatus> campaigns;  ///< Newest first.
  std::uint64_t mark = 0;                        ///< Changes whenever something of it does.
  [[nodiscard]] bool is_going_on() const;
};

/// Reads it, without being able to change anything. Throws Error as Database does.
[[nodiscard]] DatabaseList list_database(const std::string& location);

}  // namespace jouletree::report
