#include "predict/ledger.hpp"

namespace jouletree::predict {
nlohmann::ordered_json Ledger::to_json() const { return {}; }
}  // namespace jouletree::predict
