#include "plugins/metric_row.hpp"

const jouletree::MetricPlugin* jouletree_metric_plugin() { return nullptr; }
