#pragma once

#include <exception>
#include <iostream>

#include "jouletree/error.hpp"

namespace jouletree::cli {

/// To be called behind what a command prints. Throws Error(Failed) if standard output did not take
/// it all.
inline void finish_output() {
  if (!std::cout.flush()) throw Error(ErrorKind::Failed, "cannot write to standard output");
}

enum class Written { Yes, No };

/// Writes what took long to obtain, and shows it. Where it cannot be written it is shown all the
/// same: then the problem is thrown behind that.
template <class Write, class Show>
void write_and_show(const Write& write, const Show& show) {
  std::exception_ptr problem;
  try {
    write();
  } catch (const Error&) {
    problem = std::current_exception();
  }
  show(problem ? Written::No : Written::Yes);
  if (problem) std::rethrow_exception(problem);
}

}  // namespace jouletree::cli
