#include "measure/sweep/study.hpp"

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <set>

#include "base/statistics.hpp"

namespace jouletree::measure {
namespace {

constexpr std::size_t kLatencySample = 1000;

/// More of them where distributions of latencies are interesting.
std::vector<double> shown_shares() {
  std::vector<double> shares = {0, 0.001, 0.01};
  constexpr int kSteps = 50;
  for (int i = 1; i < kSteps; ++i) shares.push_back(i / static_cast<double>(kSteps));
  shares.insert(shares.end(), {0.99, 0.999, 1});
  return shares;
}

QuantitySpread spread_of(std::vector<double> values, std::string provenance) {
  std::sort(values.begin(), values.end());
  return {values.size(),  quantile(values, 0.5), quantile(values, 0.25), quantile(values, 0.75),
          values.front(), values.back(),         std::move(provenance)};
}

std::optional<double> value_of(const StudyRun& run, const std::string& quantity) {
  const auto found = run.values.find(quantity);
  return found == run.values.end() ? std::nullopt : std::optional(found->second.value);
}

}  // namespace

std::map<std::string, QuantitySpread> spreads_of(const StudyFormat& format) {
  std::map<std::string, std::vector<double>> values;
  std::map<std::string, std::string> provenances;
  for (const StudyRun& run : format.runs) {
    for (const auto& [name, known] : run.values) {
      values[name].push_back(known.value);
      std::string& provenance = provenances[name];
      if (provenance.empty() || known.provenance == "estimated") provenance = known.provenance;
    }
  }
  std::map<std::string, QuantitySpread> spreads;
  for (auto& [name, all] : values) spreads[name] = spread_of(std::move(all), provenances[name]);
  return spreads;
}

std::vector<double> latency_sample(std::vector<double> latencies_s) {
  std::sort(latencies_s.begin(), latencies_s.end());
  if (latencies_s.size() <= kLatencySample) return latencies_s;
  std::vector<double> sample;
  for (std::size_t i = 0; i < kLatencySample; ++i)
    sample.push_back(quantile(latencies_s, static_cast<double>(i) / (kLatencySample - 1)));
  return sample;
}

LatencyPoints latencies_of(const StudyFormat& format) {
  struct Weighted {
    double seconds;
    double weight;
  };
  std::vector<Weighted> all;
  double sum = 0;
  for (const StudyRun& run : format.runs) {
    const auto inferences = static_cast<double>(std::max<std::int64_t>(run.inferences, 1));
    const double weight = inferences / static_cast<double>(run.latency_sample.size());
    for (const double seconds : run.latency_sample) {
      all.push_back({seconds, weight});
      sum += weight;
    }
  }
  if (all.empty()) return {};
  std::sort(all.begin(), all.end(),
            [](const Weighted& a, const Weighted& b) { return a.seconds < b.seconds; });
  LatencyPoints points;
  std::size_t at = 0;
  double below = 0;
  for (const double share : shown_shares()) {
    while (at + 1 < all.size() && below + all[at].weight < share * sum) below += all[at++].weight;
    points.emplace_back(share, share == 1 ? all.back().seconds : all[at].seconds);
  }
  return points;
}

std::vector<StudySeries> series_of(const StudyModel& model,
                                   const std::vector<Quantity>& quantities) {
  using Key = std::pair<std::optional<Dim>, std::optional<int>>;
  std::map<Key, StudySeries> series;
  for (std::size_t i = 0; i < model.formats.size(); ++i) {
    const StudyFormat& format = model.formats[i];
    // What is the size itself tells no series apart.
    const Key key = {model.size_name == "batch" ? std::nullopt : format.batch,
                     model.size_name == "threads" ? std::nullopt : format.threads};
    StudySeries& one = series[key];
    one.batch = key.first;
    one.threads = key.second;
    if (format.size) one.formats.push_back(i);
  }
  std::vector<std::map<std::string, QuantitySpread>> spreads;
  for (const StudyFormat& format : model.formats) spreads.push_back(spreads_of(format));
  std::vector<StudySeries> all;
  for (auto& [key, one] : series) {
    std::stable_sort(one.formats.begin(), one.formats.end(), [&](std::size_t a, std::size_t b) {
      return *model.formats[a].size < *model.formats[b].size;
    });
    for (const Quantity& quantity : quantities) {
      std::vector<double> sizes;
      std::vector<double> medians;
      for (const std::size_t i : one.formats) {
        const auto found = spreads[i].find(quantity.name);
        if (found == spreads[i].end()) continue;
        sizes.push_back(*model.formats[i].size);
        medians.push_back(found->second.median);
      }
      one.laws[quantity.name] = fit_power_law(sizes, medians);
      one.breaks[quantity.name] = find_breaks(sizes, medians);
    }
    all.push_back(std::move(one));
  }
  return all;
}

StudyCorrelations correlations_of(const std::vector<const StudyModel*>& models,
                                  const std::vector<Quantity>& quantities) {
  StudyCorrelations found;
  found.quantities.emplace_back("size");
  for (const char* name : {"batch", "threads"}) {
    const bool is_varied = std::any_of(models.begin(), models.end(), [&](const StudyModel* model) {
      return std::any_of(model->formats.begin(), model->formats.end(), [&](const auto& format) {
        return (name == std::string_view("batch") ? format.batch.has_value()
                                                  : format.threads.has_value()) &&
               model->size_name != name;
      });
    });
    if (is_varied) found.quantities.emplace_back(name);
  }
  for (const Quantity& quantity : quantities) found.quantities.push_back(quantity.name);
  std::vector<SparseColumn> columns(found.quantities.size());
  for (const StudyModel* model : models) {
    for (const StudyFormat& format : model->formats) {
      for (const StudyRun& run : format.runs) {
        ++found.rows;
        for (std::size_t i = 0; i < columns.size(); ++i) {
          const std::string& name = found.quantities[i];
          std::optional<double> value;
          if (name == "size")
            value = format.size;
          else if (name == "batch" && format.batch)
            value = static_cast<double>(*format.batch);
          else if (name == "threads" && format.threads)
            value = *format.threads;
          else
            value = value_of(run, name);
          columns[i].push_back(value);
        }
      }
    }
  }
  found.spearman = spearman_matrix(columns);
  found.pearson = pearson_matrix(columns);
  return found;
}

std::vector<Quantity> quantities_of(const std::vector<StudyModel>& models) {
  std::set<std::string> names;
  for (const StudyModel& model : models)
    for (const StudyFormat& format : model.formats)
      for (const StudyRun& run : format.runs)
        for (const auto& [name, known] : run.values) names.insert(name);
  return in_reading_order(names);
}

namespace {

/// The numbers of a name, and what stands around them.
struct NumberedName {
  std::vector<double> numbers;
  std::string pattern;
};

NumberedName numbers_in(const std::string& name) {
  NumberedName found;
  for (std::size_t at = 0; at < name.size();) {
    double number = 0;
    const bool is_digit = name[at] >= '0' && name[at] <= '9';
    if (!is_digit) {
      found.pattern += name[at++];
      continue;
    }
    std::int64_t integer = 0;
    const auto parsed = std::from_chars(name.data() + at, name.data() + name.size(), integer);
    number = parsed.ec == std::errc() ? static_cast<double>(integer) : INFINITY;
    while (at < name.size() && name[at] >= '0' && name[at] <= '9') ++at;
    found.numbers.push_back(number);
    found.pattern += '#';
  }
  return found;
}

}  // namespace

std::vector<std::optional<double>> sizes_in_names(const std::vector<std::string>& names) {
  std::vector<std::optional<double>> sizes(names.size());
  std::vector<NumberedName> read;
  for (const std::string& name : names) read.push_back(numbers_in(name));
  if (read.empty()) return sizes;
  for (const NumberedName& one : read)
    if (one.pattern != read[0].pattern || one.numbers.empty()) return sizes;
  const auto same_in_all = [&](std::size_t a, std::size_t b) {
    return std::all_of(read.begin(), read.end(),
                       [&](const NumberedName& one) { return one.numbers[a] == one.numbers[b]; });
  };
  std::vector<std::size_t> changing;
  for (std::size_t i = 0; i < read[0].numbers.size(); ++i) {
    const bool changes = std::any_of(read.begin(), read.end(), [&](const NumberedName& one) {
      return one.numbers[i] != read[0].numbers[i];
    });
    // A side that is as long as the one before it is the same size.
    const bool repeats = std::any_of(changing.begin(), changing.end(),
                                     [&](std::size_t other) { return same_in_all(i, other); });
    if (changes && !repeats) changing.push_back(i);
  }
  if (changing.empty()) changing.push_back(read[0].numbers.size() - 1);
  for (std::size_t i = 0; i < read.size(); ++i) {
    double size = 1;
    for (const std::size_t number : changing) size *= read[i].numbers[number];
    if (std::isfinite(size)) sizes[i] = size;
  }
  return sizes;
}

}  // namespace jouletree::measure
