#include <jouletree/metrics.hpp>

int metric_count() { return static_cast<int>(jouletree::metric_catalogue().size()); }
