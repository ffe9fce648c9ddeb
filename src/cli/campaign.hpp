#pragma once

#include <string>

#include <CLI/CLI.hpp>

namespace jouletree::cli {

/// The plan and the database, which most of its commands take.
void add_plan(CLI::App& command, std::string& plan);
void add_database(CLI::App& command, std::string& database);

/// Hands a plan to a cluster.
void add_campaign_submit(CLI::App& campaign);

}  // namespace jouletree::cli
