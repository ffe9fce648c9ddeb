#include "report/profile_ledger_table.hpp"

#include <sstream>

#include <gmock/gmock.h>

#include "measure/ledger.hpp"
#include "report/profile_report.hpp"
#include "support/sample_profile.hpp"

namespace jouletree::report {
namespace {

using test::SampleProfile;
using testing::AllOf;
using testing::ContainsRegex;
using testing::HasSubstr;
using testing::Not;

std::string ledger_text(measure::Profile& profile, std::optional<double> target = std::nullopt) {
  profile.ledger = measure::ledger_of(profile);
  std::ostringstream out;
  print_ledger(store::view_of(profile, target), out);
  return out.str();
}

void run_out_of_time(measure::UniqueOperator& unique) {
  unique.measured.reset();
  unique.out_of_time = true;
}

/// Windows of the whole that show how steady it is, and one between the first operator and the
/// others, 4 % slower than usual.
void slow_down(measure::Profile& profile) {
  measure::Trials& whole = profile.whole.trials;
  for (int i = 1; i <= 6; ++i) {
    whole.windows.push_back({SampleProfile::at_ms(-100 * i), SampleProfile::at_ms(-100 * i), 1});
    whole.seconds.push_back(10e-3);
  }
  whole.windows.push_back({SampleProfile::at_ms(390), SampleProfile::at_ms(400), 1});
  whole.seconds.push_back(10.4e-3);
}

TEST(ProfileLedgerTable, NamesSumWholeRemainderAndAttribution) {
  SampleProfile sample;
  const std::string text = ledger_text(sample.profile);
  EXPECT_THAT(text, ContainsRegex("ledger +time +± +energy +±\n"));
  // Joules: 2 × 40 ± 0.8, 10 ± 0.2 and 5 ± 0.1 mJ make 95 ± 1.616 mJ, rounded up.
  EXPECT_THAT(text, ContainsRegex("\nΣ operators × count +9.5 ms +0.0 % +95 mJ +1.8 % +4 operators "
                                  "of 3 kinds\n"));
  EXPECT_THAT(text, ContainsRegex("\nWhole model +10 ms +0.0 % +100 mJ +2.0 %\n"));
  EXPECT_THAT(text, ContainsRegex("\nRemainder +500 µs +5 mJ +calls of the engine"));
  EXPECT_THAT(text, ContainsRegex("\nAttribution +95.0 % +95.0 %\n"));
  EXPECT_THAT(text, ContainsRegex("\n  speed-adjusted +9.5 ms +0.0 % +95 mJ +1.8 %\n"))
      << "also where the machine kept its speed";
}

TEST(ProfileLedgerTable, TellsWhatCallsTheOperatorsFromTheRest) {
  SampleProfile sample;
  sample.profile.caller =
      measure::Caller{"Python and dispatch", SampleProfile::measured(200, 9.7), {0.03, 0.03}};
  const std::string text = ledger_text(sample.profile);
  EXPECT_THAT(text, ContainsRegex("\nPython and dispatch +300 µs +0.0 % +3 mJ +the whole less its "
                                  "operators run in order\n"));
  EXPECT_THAT(text, ContainsRegex("\nRemainder +200 µs +2 mJ +what operators take longer inside"));
  EXPECT_THAT(text, ContainsRegex("\nAttribution +98.0 % +98.0 %\n"));
  EXPECT_THAT(text, HasSubstr("\nAttribution counts Python and dispatch beside the operators.\n"));
}

TEST(ProfileLedgerTable, ShowsBothSumsWhereTheMachineChangedItsSpeed) {
  SampleProfile sample;
  slow_down(sample.profile);
  const std::string text = ledger_text(sample.profile);
  EXPECT_THAT(text, ContainsRegex("\nΣ operators × count +9.5 ms +0.0 % +95 mJ +1.8 % +4 ope"));
  // 8 ms ÷ √1.04 + 1.5 ms ÷ 1.04.
  EXPECT_THAT(text, ContainsRegex("\n  speed-adjusted +9.287 ms +0.0 % +92.87 mJ +1.8 %\n"));
  EXPECT_THAT(text, HasSubstr("\nΣ speed-adjusted: each operator corrected for how fast the whole "
                              "model ran just before and after it. Remainder and attribution use "
                              "this sum.\n"));
  EXPECT_THAT(text, ContainsRegex("\nRemainder +713 µs +7.13 mJ"));
  EXPECT_THAT(text, ContainsRegex("\nAttribution +92.9 % +92.9 %"));
}

TEST(ProfileLedgerTable, MarksSumsThatLackOperators) {
  SampleProfile sample;
  slow_down(sample.profile);
  run_out_of_time(sample.profile.operators[2]);
  const std::string text = ledger_text(sample.profile);
  EXPECT_THAT(text, ContainsRegex("\nΣ operators × count +≥ 9 ms +0.0 % +≥ 90 mJ +1.8 % +3 of 4 "
                                  "operators of 3 kinds, measured alone"));
  EXPECT_THAT(text, ContainsRegex("\n  speed-adjusted +≥ 8.806 ms +0.0 % +≥ 88.06 mJ"));
  EXPECT_THAT(text, ContainsRegex("\nIn place +~ 500 µs +unknown"));
  EXPECT_THAT(text, ContainsRegex("\nAttribution +≥ 88.1 % +≥ 88.1 %"));
}

TEST(ProfileLedgerTable, UnknownSumsHaveNoMark) {
  SampleProfile sample;
  for (measure::UniqueOperator& unique : sample.profile.operators) run_out_of_time(unique);
  EXPECT_THAT(ledger_text(sample.profile),
              AllOf(ContainsRegex("\nΣ operators × count +unknown +unknown +0 of 4 operators"),
                    Not(HasSubstr("≥")), Not(HasSubstr("speed-adjusted"))));
}

TEST(ProfileLedgerTable, HasNoColumnForIntervalsThatNobodyKnows) {
  SampleProfile sample;
  sample.profile.whole.energy->gross->low.reset();
  for (measure::UniqueOperator& unique : sample.profile.operators) {
    unique.measured->energy->gross->low.reset();
    unique.measured->energy->gross->high.reset();
  }
  EXPECT_THAT(ledger_text(sample.profile), ContainsRegex("ledger +time +± +energy\n"));
}

TEST(ProfileLedgerTable, ATargetIsComparedWithTimesAsMeasured) {
  SampleProfile sample;
  slow_down(sample.profile);
  EXPECT_THAT(ledger_text(sample.profile, 0.94), HasSubstr("Target: 94 % of the time needs"));
  EXPECT_THAT(ledger_text(sample.profile, 0.96), HasSubstr("could be measured explain 95.0 %."));
}

/// Its letters are one column wide each.
std::vector<std::string> letters_of(const std::string& line) {
  std::vector<std::string> letters;
  for (const char byte : line) {
    const bool continues = (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
    if (continues) {
      letters.back() += byte;
    } else {
      letters.emplace_back(1, byte);
    }
  }
  return letters;
}

/// Of the table whose head begins so, and a column whose cells stand to the right.
std::vector<std::string> column(const std::string& text, const std::string& head,
                                const std::string& title) {
  std::istringstream in(text);
  std::string line;
  while (std::getline(in, line) && !line.starts_with(head)) continue;
  const std::size_t end = letters_of(line.substr(0, line.find(title) + title.size())).size();
  std::getline(in, line);
  std::vector<std::string> cells;
  while (std::getline(in, line) && !line.empty()) {
    const std::vector<std::string> letters = letters_of(line);
    std::string cell;
    for (std::size_t i = end; i > 0; --i) {
      if (letters.at(i - 1) == " " && letters.at(i - 2) == " ") break;
      cell.insert(0, letters[i - 1]);
    }
    cells.push_back(cell);
  }
  return cells;
}

double milliseconds(const std::string& cell) {
  const std::string number = cell.substr(cell.find_first_of("0123456789"));
  return std::stod(number) * (number.ends_with(" µs") ? 1e-3 : 1);
}

TEST(ProfileTopTable, VisibleRowsAddUpToTheRawSumAndToWhatIsInPlace) {
  SampleProfile sample;
  measure::Profile& profile = sample.profile;
  profile.tree.inference.nodes.at(3).runs = 3;  // In a loop.
  constexpr int kMore = 12;
  for (int i = 0; i < kMore; ++i) {
    const double ms = 0.1 + 0.01 * i;
    profile.operators.push_back({"more", {3}, ms * 1e-3, SampleProfile::measured(550 + 5 * i, ms)});
    if (i % 3 == 0) run_out_of_time(profile.operators.back());
  }
  profile.ledger = measure::ledger_of(profile);
  const store::ProfileView view = store::view_of(profile, std::nullopt);
  std::ostringstream out;
  print_profile_table(view, std::nullopt, {}, out);
  EXPECT_THAT(out.str(), HasSubstr("Top operators: 10 of 15 kinds"));
  double alone_ms = 0;
  double in_place_ms = 0;
  const std::vector<std::string> cells = column(out.str(), "operator  ", "total");
  ASSERT_EQ(cells.size(), 12U);
  for (const std::string& cell : cells)
    (cell.starts_with("~ ") ? in_place_ms : alone_ms) += milliseconds(cell);
  // 2 × 4 + 1 + 3 × (0.5 + 0.11 + 0.12 + 0.14 + 0.15 + 0.17 + 0.18 + 0.20 + 0.21).
  EXPECT_NEAR(alone_ms, 14.34, 1e-9);
  EXPECT_NEAR(*view.ledger.raw_s.value, 14.34e-3, 1e-9);
  // 3 × (0.10 + 0.13 + 0.16 + 0.19).
  EXPECT_NEAR(in_place_ms, 1.74, 1e-9);
  EXPECT_NEAR(*view.ledger.in_place_s, 1.74e-3, 1e-9);
  EXPECT_THAT(out.str(), AllOf(ContainsRegex("\n3 other kinds +9 +1.11 ms +11.1 +11.1 mJ"),
                               ContainsRegex("\n2 other kinds +6 +~ 690 µs +6.9 +[?]\n"),
                               ContainsRegex("\nΣ operators × count +≥ 14.34 ms"),
                               ContainsRegex("\nIn place +~ 1.74 ms")));
}

TEST(ProfileTopTable, HasNoRowForOthersWhereThereAreNone) {
  SampleProfile sample;
  std::ostringstream out;
  print_profile_table(store::view_of(sample.profile, std::nullopt), std::nullopt, {}, out);
  EXPECT_THAT(out.str(), Not(HasSubstr("other kind")));
  EXPECT_EQ(column(out.str(), "operator  ", "total").size(), 3U);
}

}  // namespace
}  // namespace jouletree::report
