#include "predict/config_object.hpp"

#include "jouletree/error.hpp"

namespace jouletree::predict {

nlohmann::json config_object(const std::string& text) {
  auto json = nlohmann::json::parse(text, nullptr, false);
  if (!json.is_object())
    throw Error(ErrorKind::BadInput, "the settings of the method are not a JSON object");
  return json;
}

}  // namespace jouletree::predict
