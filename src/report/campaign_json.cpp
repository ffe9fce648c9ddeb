#include <ostream>

#include <nlohmann/json.hpp>

#include "base/bounded_json.hpp"
#include "campaign/run_item.hpp"
#include "report/campaign_report.hpp"

namespace jouletree::report {
namespace {

using nlohmann::ordered_json;
using store::ItemStatus;

void write_json(const ordered_json& json, std::ostream& out) {
  out << json.dump(2, ' ', false, ordered_json::error_handler_t::replace) << '\n';
}

ordered_json text_or_null(const std::string& text) {
  return text.empty() ? ordered_json() : ordered_json(text);
}

ordered_json item_json(const ItemStatus& item) {
  ordered_json json = {{"item", item.label},
                       {"state", name_of(item.state)},
                       {"worker", text_or_null(item.worker)},
                       {"lost", item.lost},
                       {"claimed_at", text_or_null(item.claimed_at)},
                       {"finished_at", text_or_null(item.finished_at)},
                       {"attempts", item.attempts},
                       {"reason", text_or_null(item.reason)}};
  json["seconds"] = item.seconds ? ordered_json(*item.seconds) : ordered_json();
  json["result"] =
      item.result.empty() ? ordered_json() : parse_json_if_any<ordered_json>(item.result);
  json["spec"] = parse_json_if_any<ordered_json>(item.spec);
  return json;
}

ordered_json campaign_json(const store::CampaignStatus& status) {
  const auto counts = counts_of(status);
  ordered_json json = {{"campaign", status.name},   {"created_at", status.created_at},
                       {"items", counts.all()},     {"done", counts.done},
                       {"waiting", counts.waiting}, {"running", counts.running},
                       {"failed", counts.failed}};
  json["seconds_left"] = ordered_json();
  if (counts.mean_seconds && counts.waiting + counts.running > 0) {
    json["seconds_left"] = *counts.mean_seconds *
                           static_cast<double>(counts.waiting + counts.running) /
                           static_cast<double>(std::max<std::int64_t>(1, counts.running));
  }
  return json;
}

ordered_json status_json(const store::CampaignStatus& status) {
  ordered_json json = campaign_json(status);
  json["list"] = ordered_json::array();
  for (const ItemStatus& item : status.items) json["list"].push_back(item_json(item));
  return json;
}

}  // namespace

void print_outlook_json(const campaign::Plan& plan, const campaign::Expansion& expansion,
                        const campaign::Outlook& outlook, std::ostream& out) {
  ordered_json labels = ordered_json::array();
  for (const campaign::Item& item : expansion.items) labels.push_back(item.label());
  write_json({{"campaign", plan.name},
              {"items", outlook.items},
              {"done", outlook.done},
              {"changed", outlook.changed},
              {"failed", outlook.failed},
              {"operators", outlook.operators},
              {"different_operators", outlook.kinds},
              {"new_operators", outlook.new_kinds},
              {"uncounted_items", outlook.uncounted},
              {"known_engines", outlook.engines},
              {"seconds", outlook.seconds},
              {"seconds_from_items", outlook.learned_from},
              {"notes", expansion.notes},
              {"problems", outlook.problems},
              {"failing", outlook.failing},
              {"labels", labels}},
             out);
}

void print_status_json(const store::CampaignStatus& status, std::ostream& out) {
  write_json(status_json(status), out);
}

void print_statuses_json(const std::vector<store::CampaignStatus>& all, std::ostream& out) {
  ordered_json list = ordered_json::array();
  for (const store::CampaignStatus& status : all) list.push_back(status_json(status));
  write_json({{"campaigns", list}}, out);
}

void print_campaign_json(const store::CampaignStatus& status, std::ostream& out) {
  ordered_json json = campaign_json(status);
  json["models"] = ordered_json::array();
  for (const ItemStatus& item : status.items) {
    const auto result = campaign::ItemResult::parse(item.result);
    if (item.state != ItemStatus::State::Done || !result) continue;
    ordered_json row = parse_json<ordered_json>(item.result);
    row["item"] = item.label;
    row["reached"] = result->reached() ? ordered_json(*result->reached()) : ordered_json();
    row["doubtful"] = result->is_doubtful();
    json["models"].push_back(row);
  }
  write_json(json, out);
}

}  // namespace jouletree::report
