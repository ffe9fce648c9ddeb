#include "model/onnx/external_place.hpp"

#include <system_error>

#include <fmt/format.h>

#include "jouletree/error.hpp"

namespace jouletree::model::onnx {
namespace {

bool is_inside(const std::filesystem::path& path, const std::filesystem::path& folder) {
  const auto relative = path.lexically_relative(folder);
  return !relative.empty() && *relative.begin() != "..";
}

}  // namespace

void refuse_links_outside(const std::filesystem::path& file, const std::filesystem::path& data) {
  std::error_code error;
  const auto model = std::filesystem::absolute(file, error);
  const auto real_data =
      std::filesystem::weakly_canonical(std::filesystem::absolute(data, error), error);
  const auto real_model = std::filesystem::weakly_canonical(model, error);
  const auto folder = std::filesystem::weakly_canonical(model.parent_path(), error);
  if (error || is_inside(real_data, folder) || is_inside(real_data, real_model.parent_path()))
    return;
  throw Error(ErrorKind::BadInput,
              fmt::format("external data '{}' is refused, because it is a link that leads outside "
                          "the model's folder",
                          data.string()));
}

}  // namespace jouletree::model::onnx
