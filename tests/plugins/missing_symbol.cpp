// Needs a function that nobody provides.
#include "plugins/metric_row.hpp"

extern "C" const jouletree::MetricPlugin* function_that_nobody_provides();

const jouletree::MetricPlugin* jouletree_metric_plugin() { return function_that_nobody_provides(); }
