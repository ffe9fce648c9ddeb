#include <fmt/format.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>
#include <nlohmann/json.hpp>

#include "bindings/bindings.hpp"
#include "bindings/compared.hpp"
#include "jouletree/error.hpp"
#include "report/page/report_page.hpp"

namespace jouletree::python {
namespace {

namespace nb = nanobind;

/// What stands on a page: a result of Python's hands, a JSON text that a command would print, or a
/// path as the command takes it.
struct PageSubject {
  std::optional<Compared> compared{};
  std::string printed{};
  std::string name{};  ///< Of what was printed; else the path.
};

PageSubject subject_from(nb::handle given) {
  if (nb::isinstance<nb::str>(given)) return {std::nullopt, {}, nb::cast<std::string>(given)};
  const auto parts = nb::cast<nb::tuple>(given);
  if (!nb::isinstance<nb::str>(parts[0])) return {compared_from(given)};
  return {std::nullopt, nb::cast<std::string>(parts[0]), nb::cast<std::string>(parts[1])};
}

report::ModelNames names_of(const Compared& one) {
  const std::string place = one.place();
  if (place.empty()) return {one.label, one.label, one.label};
  return {one.label, fmt::format("{} ({})", one.label, place), place};
}

void add(const Compared& one, report::PageReader& reader) {
  if (one.counted != nullptr) {
    const ModelTree& tree = one.counted->tree;
    reader.add_counted(tree, one.metrics.compute(tree), names_of(one), "");
    return;
  }
  report::ComparedProfile profile = one.profile();
  profile.view.metrics = one.metrics.compute(store::measured_model(profile.view));
  profile.model.metrics = profile.view.metrics;
  const std::vector<std::string> notes =
      one.kept != nullptr ? one.kept->notes : std::vector<std::string>();
  reader.add_profile(std::move(profile), one.tree_line(), names_of(one), notes);
}

void add(const PageSubject& subject, report::PageReader& reader) {
  if (subject.compared) {
    add(*subject.compared, reader);
  } else if (subject.printed.empty()) {
    reader.read(subject.name);
  } else if (!reader.add_printed(nlohmann::ordered_json::parse(subject.printed), "",
                                 subject.name)) {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: is neither a prediction nor a cross-validation or a comparison",
                            subject.name));
  }
}

/// The page, and what could not be read.
std::pair<std::string, std::vector<std::string>> page_of(const nb::list& given) {
  std::vector<PageSubject> subjects;
  for (const nb::handle one : given) subjects.push_back(subject_from(one));
  const nb::gil_scoped_release others_may_run;
  tree::NotedMetrics metrics({});
  std::vector<tree::MetricEntry> catalogue = metrics.entries();
  const InputSettings settings;
  report::PageReader reader(settings, metrics);
  for (const PageSubject& subject : subjects) {
    if (subject.compared) add_own_entries(subject.compared->metrics, catalogue);
    add(subject, reader);
  }
  const report::PageContent content =
      report::page_content(reader, "jouletree " JOULETREE_VERSION, catalogue);
  return {report::page_text(content.data), content.problems};
}

}  // namespace

void bind_page(nb::module_& module) { module.def("page_of", page_of, nb::arg("subjects")); }

}  // namespace jouletree::python
