// Prints what the metric catalogue says of a model: one line per metric, name and value.

#include <cstdio>
#include <exception>

#include <jouletree/metrics.hpp>
#include <jouletree/tree.hpp>

int main(int argc, char** argv) {
  if (argc != 2) return 2;
  try {
    const jouletree::ModelTree tree = jouletree::inspect_model(argv[1], {});
    for (const jouletree::Metric& metric : jouletree::metric_catalogue()) {
      if (metric.from_tree == nullptr) continue;  // Measured.
      const jouletree::MetricValue value = metric.from_tree(tree);
      std::printf("%.*s %.17g\n", static_cast<int>(metric.name.size()), metric.name.data(),
                  value.value.value_or(-1));
    }
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
}
