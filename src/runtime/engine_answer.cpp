#include "runtime/engine_answer.hpp"

#include <fmt/format.h>

#include "base/json_problem.hpp"

namespace jouletree::runtime {

void throw_told_error(const nlohmann::json& answer) {
  const auto error = answer.find("error");
  if (error == answer.end()) return;
  throw Error(error->at("kind") == "missing" ? ErrorKind::Missing : ErrorKind::BadInput,
              error->at("text").get<std::string>());
}

Error unreadable_answer(std::string_view engine, const std::exception& problem,
                        std::string_view text) {
  return Error(ErrorKind::Failed,
               fmt::format("the answer of the {} plug-in cannot be read: {}; install or build the "
                           "plug-in and the program anew, so that they fit together",
                           engine, json_problem(problem, text)));
}

}  // namespace jouletree::runtime
