#pragma once

#include <memory>
#include <string>

#include <gtest/gtest.h>

#include "database/test_database.hpp"
#include "store/database/database.hpp"

namespace jouletree::test {

/// Tests that hold for every database.
class EachDatabase : public testing::TestWithParam<store::sql::Dialect> {
 protected:
  void SetUp() override {
    if (!database_.missing().empty()) GTEST_SKIP() << database_.missing();
  }

  [[nodiscard]] store::Database open() const {
    return {database_.location(), store::sql::Access::Create};
  }

  TestDatabase database_{GetParam()};
};

inline std::string dialect_name(const testing::TestParamInfo<store::sql::Dialect>& tested) {
  return tested.param == store::sql::Dialect::Sqlite ? "Sqlite" : "Postgresql";
}

/// The first cell of what a query says, as text; "NULL" for nothing.
inline std::string first_cell(store::Database& database, const std::string& query) {
  const auto rows = database.connection().query(query, {});
  if (!rows->next()) return "nothing";
  struct Text {
    std::string operator()(std::monostate /*null*/) const { return "NULL"; }
    std::string operator()(std::int64_t number) const { return std::to_string(number); }
    std::string operator()(double number) const { return fmt::format("{}", number); }
    std::string operator()(const std::string& text) const { return text; }
    std::string operator()(const store::sql::Blob& blob) const { return blob.bytes; }
  };
  return std::visit(Text{}, rows->value(0));
}

}  // namespace jouletree::test
