#include "cli/model_argument.hpp"

#include <algorithm>
#include <filesystem>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "zoo/catalogue.hpp"

namespace jouletree::cli {

void refuse_zoo_name(const std::string& model) {
  std::error_code ignored;
  if (std::filesystem::exists(model, ignored)) return;
  const auto& rows = zoo::catalogue();
  const bool known = std::any_of(rows.begin(), rows.end(),
                                 [&](const zoo::Architecture& row) { return row.name == model; });
  if (!known) return;
  throw Error(ErrorKind::BadInput,
              fmt::format("{}: there is no such file; the zoo has a model of this name, which "
                          "'jouletree zoo build {} -o {}.onnx' writes",
                          model, model, model));
}

}  // namespace jouletree::cli
