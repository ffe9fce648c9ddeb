#pragma once

#include <string>

#include "campaign/run_item.hpp"
#include "store/database/campaign_queue.hpp"

namespace jouletree::campaign {

/// "45 s", "12 min", "3.5 h".
[[nodiscard]] std::string span_text(double seconds);
/// "about 12 min left"; empty where nothing is left, or nothing is known yet.
[[nodiscard]] std::string time_left_text(const store::CampaignQueue::Counts& counts);
/// "12.3 ms, 91 % of the time explained, 14 operators measured, 20 reused".
[[nodiscard]] std::string result_text(const ItemResult& result);

}  // namespace jouletree::campaign
