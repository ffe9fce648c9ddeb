#pragma once

#include <iosfwd>

#include "campaign/expansion.hpp"
#include "campaign/outlook.hpp"
#include "store/database/campaign_queue.hpp"

namespace jouletree::report {

// What `jouletree campaign` prints. Each as a text for people and as JSON.
void print_outlook(const campaign::Plan& plan, const campaign::Expansion& expansion,
                   const campaign::Outlook& outlook, std::ostream& out);
void print_outlook_json(const campaign::Plan& plan, const campaign::Expansion& expansion,
                        const campaign::Outlook& outlook, std::ostream& out);

[[nodiscard]] store::CampaignQueue::Counts counts_of(const store::CampaignStatus& status);

/// Counts, what runs, what failed, time left.
void print_status(const store::CampaignStatus& status, std::ostream& out);
void print_status_json(const store::CampaignStatus& status, std::ostream& out);
/// Of all campaigns of a database.
void print_statuses_json(const std::vector<store::CampaignStatus>& all, std::ostream& out);

/// Which operator types every model needed, and what was reached.
void print_campaign(const store::CampaignStatus& status, std::ostream& out);
void print_campaign_json(const store::CampaignStatus& status, std::ostream& out);

}  // namespace jouletree::report
