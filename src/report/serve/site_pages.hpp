#pragma once

#include <string>
#include <string_view>

#include "report/serve/result_folder.hpp"
#include "report/serve/served_database.hpp"

namespace jouletree::report {

// Pages of the site beside those of `jouletree report`. Names come from files: all of them are
// escaped here, and nowhere else.

/// What all of them have.
struct SiteFrame {
  std::string title;    ///< As text.
  std::string program;  ///< "jouletree 0.1.0".
  std::string state;    ///< Encoded address that tells whether the page is the newest; or empty.
  std::string mark;     ///< What it tells now.
  std::string above{};  ///< Encoded address of the page above; or empty.
};

/// What a folder holds.
[[nodiscard]] std::string folder_page(const SiteFrame& frame, const FoundResults& found);
/// What a database holds. `place` stands in its addresses: encoded, "/lab.sqlite" or empty.
[[nodiscard]] std::string database_page(const SiteFrame& frame, const DatabaseList& list,
                                        const std::string& place);
/// The items of a campaign.
[[nodiscard]] std::string campaign_page(const SiteFrame& frame,
                                        const store::CampaignStatus& campaign);
/// One sentence, and perhaps a second one.
[[nodiscard]] std::string message_page(const SiteFrame& frame, std::string_view message,
                                       std::string_view advice = {});

/// For all of them; nothing of it depends on what is served.
[[nodiscard]] std::string_view site_script();
[[nodiscard]] std::string_view site_style();

/// Folders that hold so many profiles have a page with all of them side by side.
inline constexpr std::size_t kMostSideBySide = 12;

}  // namespace jouletree::report
