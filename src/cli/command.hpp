#pragma once

#include <CLI/CLI.hpp>

namespace jouletree::cli {

// One file per sub-command; each adds itself and what it runs to the application. The callback
// throws Error; main turns that into a message and an exit code.
void add_calibrate(CLI::App& app);
void add_campaign(CLI::App& app);
void add_compare(CLI::App& app);
void add_crossvalidate(CLI::App& app);
void add_db(CLI::App& app);
void add_doctor(CLI::App& app);
void add_evaluate(CLI::App& app);
void add_explain(CLI::App& app);
void add_gate(CLI::App& app);
void add_inspect(CLI::App& app);
void add_metrics(CLI::App& app);
void add_monitor(CLI::App& app);
void add_predict(CLI::App& app);
void add_profile(CLI::App& app);
void add_report(CLI::App& app);
void add_run(CLI::App& app);
void add_score(CLI::App& app);
void add_serve(CLI::App& app);
void add_show(CLI::App& app);
void add_sweep(CLI::App& app);
void add_train(CLI::App& app);
void add_zoo(CLI::App& app);

}  // namespace jouletree::cli
