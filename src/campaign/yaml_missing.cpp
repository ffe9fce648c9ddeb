#include "campaign/yaml.hpp"
#include "jouletree/error.hpp"

namespace jouletree::campaign {

std::vector<YamlNode> parse_yaml(const std::string& /*text*/, const std::string& file) {
  throw Error(ErrorKind::Missing,
              file +
                  ": this JouleTree was built without a reader for plans; install "
                  "libyaml-cpp-dev and build it anew");
}

}  // namespace jouletree::campaign
