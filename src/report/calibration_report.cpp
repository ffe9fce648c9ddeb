#include "report/calibration_report.hpp"

#include <ostream>

#include <fmt/format.h>

#include "base/number_of.hpp"
#include "base/text_table.hpp"

namespace jouletree::report {
namespace {

/// What twice as many models would bring, if it goes on as from half of them to all.
std::string outlook(double of_all, double of_half) {
  if (of_half <= of_all) return "; more models of these kinds would hardly help";
  return fmt::format(
      "; from half of the models it was {:.1f} %, so twice the time may bring it to about {:.1f} %",
      of_half, of_all * of_all / of_half);
}

}  // namespace

void print_calibration(const campaign::Calibration& calibration, std::ostream& out) {
  TextTable table(
      {{"kind of models", TextTable::Align::Left}, {"measured"}, {"error of left-out ones"}});
  for (const campaign::FamilyAccuracy& family : calibration.families) {
    table.add_row({std::string(family.family), std::to_string(family.models),
                   family.time_error ? fmt::format("{:.1f} %", *family.time_error) : "–"});
  }
  table.print(out);
  out << fmt::format("\n{} measured now, {} in all.", number_of(calibration.measured_now, "model"),
                     calibration.models);
  if (calibration.median_error) {
    out << fmt::format(" Models that were left out are off by {:.1f} % of their time in the median",
                       *calibration.median_error);
    if (calibration.median_error_of_half)
      out << outlook(*calibration.median_error, *calibration.median_error_of_half);
    out << '.';
  }
  out << '\n';
}

}  // namespace jouletree::report
