#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

namespace jouletree::cli {

/// The plan and the database, which most of its commands take.
void add_plan(CLI::App& command, std::string& plan);
void add_database(CLI::App& command, std::string& database);
void add_max_load(CLI::App& command, std::string& max_load);
/// Nothing for "none". Throws Error(BadInput) for what is no number of CPUs.
[[nodiscard]] std::optional<double> load_of(const std::string& text);

/// Hands a plan to a cluster.
void add_campaign_submit(CLI::App& campaign);

}  // namespace jouletree::cli
