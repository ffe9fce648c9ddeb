#include "store/row_energy.hpp"

#include <algorithm>

#include "store/power_keys.hpp"

namespace jouletree::store {
namespace {

bool contains(const std::vector<std::string>& names, const std::string& name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool is_gpu_level(const std::string& level) { return level == name_of(Level::Gpu); }

bool is_sum_of_cards(const std::string& name) {
  const auto is = [&](const char* key) { return name == key; };
  return std::any_of(std::begin(kPowerOfCards), std::end(kPowerOfCards), is) ||
         std::any_of(std::begin(kPowerPerCard), std::end(kPowerPerCard), is);
}

const RowDomain* domain_in(const PowerRow& row, const std::string& name) {
  const auto found = std::find_if(row.domains.begin(), row.domains.end(),
                                  [&](const RowDomain& domain) { return domain.name == name; });
  return found == row.domains.end() ? nullptr : &*found;
}

bool knows(const RowDomain& domain) { return domain.power_w || domain.energy_j; }

/// What the recorder attributes to the command, and what JouleTree names itself, has one name.
bool has_other_names(const std::string& level) { return level != name_of(Level::Other); }

/// In a line that tells of cards, those that it does not list draw nothing unless it says so.
bool cards_are_all_listed(const PowerRow& row) {
  bool cards = false;
  for (const RowDomain& domain : row.domains) {
    if (!is_gpu_level(domain.level) || !domain.power_w) continue;
    if (is_sum_of_cards(domain.name)) return false;
    cards = true;
  }
  return cards;
}

std::optional<double> power_in(const PowerRow& row, const std::string& name) {
  if (const RowDomain* domain = domain_in(row, name)) return domain->power_w;
  if (name == kOtherCards && cards_are_all_listed(row)) return 0;
  return std::nullopt;
}

std::string level_in(const PowerRow& row, const PowerRow* before, const std::string& name) {
  for (const PowerRow* one : {&row, before}) {
    const RowDomain* domain = one != nullptr ? domain_in(*one, name) : nullptr;
    if (domain != nullptr) return domain->level;
  }
  return "";
}

/// Energy and power of a line of JouleTree; its power is the mean over the time that is known.
std::optional<RowEnergy> counted(const RowDomain& domain, const PowerRow& row) {
  if (!domain.energy_j) return std::nullopt;
  const double time_s = row.duration_s.value_or(0);
  const bool power = domain.power_w && *domain.power_w > 0;
  return RowEnergy{*domain.energy_j,
                   power ? std::min(time_s, *domain.energy_j / *domain.power_w) : time_s};
}

}  // namespace

std::optional<double> time_of(const PowerRow& row, const PowerRow* before) {
  if (row.duration_s || before == nullptr) return row.duration_s;
  return Seconds(row.at - before->at).count();
}

bool tells(const PowerRow& row, const std::string& domain, const std::string& level) {
  if (domain == kOtherCards) return true;
  return std::any_of(row.domains.begin(), row.domains.end(), [&](const RowDomain& other) {
    if (other.name == domain) return knows(other);
    if (row.ours || other.level != level || !knows(other)) return false;
    if (is_gpu_level(level)) return is_sum_of_cards(other.name) || is_sum_of_cards(domain);
    return has_other_names(level);
  });
}

bool tells_all(const PowerRow& row) {
  if (!row.missing.empty()) return false;
  return std::all_of(row.summed.begin(), row.summed.end(), [&](const std::string& name) {
    const RowDomain* domain = domain_in(row, name);
    return domain != nullptr && knows(*domain);
  });
}

std::optional<RowEnergy> energy_of(const std::string& domain, const PowerRow& row,
                                   const PowerRow* before) {
  if (const RowDomain* here = domain_in(row, domain); here != nullptr && here->energy_j)
    return counted(*here, row);
  const auto time_s = time_of(row, before);
  const auto power_w = power_in(row, domain);
  if (!time_s || !power_w || row.after_hole) return std::nullopt;
  if (row.duration_s) return RowEnergy{*power_w * *time_s, *time_s};
  if (const auto last_w = power_in(*before, domain))
    return RowEnergy{(*power_w + *last_w) / 2 * *time_s, *time_s};
  // The line before told the same part under another name.
  if (tells(*before, domain, level_in(row, before, domain)))
    return RowEnergy{*power_w * *time_s, *time_s};
  return std::nullopt;
}

std::optional<double> total_energy_of(const PowerRow& row, const PowerRow* before) {
  if (row.total_j) return row.total_j;
  std::optional<double> sum;
  const auto add = [&](const std::string& name) {
    if (const auto energy = energy_of(name, row, before)) sum = sum.value_or(0) + energy->energy_j;
  };
  for (const std::string& name : row.summed) add(name);
  // Cards that are no longer listed because they draw nothing.
  const std::string others(kOtherCards);
  if (before != nullptr && contains(before->summed, others) && !contains(row.summed, others))
    add(others);
  return sum;
}

}  // namespace jouletree::store
