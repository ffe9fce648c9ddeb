#include "predict/config_object.hpp"

#include "base/bounded_json.hpp"
#include "jouletree/error.hpp"

namespace jouletree::predict {

nlohmann::json config_object(const std::string& text) {
  auto json = parse_json_if_any<nlohmann::json>(text);
  if (!json.is_object())
    throw Error(ErrorKind::BadInput, "the settings of the method are not a JSON object");
  return json;
}

}  // namespace jouletree::predict
