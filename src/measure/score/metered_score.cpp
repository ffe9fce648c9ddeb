#include "measure/score/metered_score.hpp"

#include <memory>

#include "jouletree/clock.hpp"
#include "jouletree/error.hpp"
#include "measure/metered_machine.hpp"

namespace jouletree::measure {
namespace {

std::optional<double> joules_of(const std::optional<Joules>& bound) {
  return bound ? std::optional(bound->value()) : std::nullopt;
}

}  // namespace

void add_costs(const WindowResult& window, Score& score) {
  score.time_s = std::chrono::duration<double>(window.duration()).count();
  const TotalEnergy& total = window.total;
  score.energy_covers = total.rule;
  // Nothing takes no energy: a meter that saw none was asked for too short a time.
  if (!total.gross || total.gross->value.value() <= 0) {
    score.notes.emplace_back("the meters saw no energy in so short a time");
    return;
  }
  score.energy_j = {total.gross->value.value(), !total.missing.empty(), joules_of(total.gross->low),
                    joules_of(total.gross->high), total.provenance};
}

void with_costs(const ProbeOptions& meters, const std::function<void(const std::string&)>& tell,
                const std::function<void()>& evaluate, Score& score) {
  std::unique_ptr<MeteredMachine> machine;
  std::string problem;
  try {
    machine = std::make_unique<MeteredMachine>(meters, tell);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::Missing) throw;
    problem = error.what();
  }
  if (machine == nullptr) {
    const Time begin = machine_clock().now();
    evaluate();
    score.time_s = std::chrono::duration<double>(machine_clock().now() - begin).count();
    score.notes.push_back("the energy is unknown: " + problem);
    return;
  }
  const WindowId window = machine->session().begin("score");
  evaluate();
  add_costs(machine->session().finish(window), score);
}

}  // namespace jouletree::measure
