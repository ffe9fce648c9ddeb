#include "base/zip_archive.hpp"

#include <gtest/gtest.h>

#include "support/zip_bytes.hpp"

namespace jouletree {
namespace {

TEST(ZipArchive, ListsItsFilesWithTheirBytes) {
  const std::string zip = test::zip_bytes({{"a.txt", "first"}, {"b.txt", "second", true}});
  const auto entries = zip_entries(zip);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 2U);
  EXPECT_EQ((*entries)[0].name, "a.txt");
  EXPECT_EQ((*entries)[0].method, ZipMethod::Stored);
  EXPECT_EQ(packed_bytes_of(zip, (*entries)[0]), "first");
  EXPECT_EQ((*entries)[1].method, ZipMethod::Deflated);
  EXPECT_EQ((*entries)[1].bytes, 6U);
  EXPECT_EQ(packed_bytes_of(zip, (*entries)[1]), test::deflate("second"));
}

TEST(ZipArchive, TakesNumbersOf64BitsFromTheExtraField) {
  const std::string header = std::string("PK\x03\x04", 4) + std::string(22, '\0') +
                             test::little_endian(1, 2) + test::little_endian(0, 2) + "a";
  const std::string extra = test::little_endian(1, 2) + test::little_endian(16, 2) +
                            test::little_endian(5, 8) + test::little_endian(5, 8);
  const std::string entry =
      std::string("PK\x01\x02", 4) + std::string(16, '\0') + test::little_endian(0xFFFFFFFF, 4) +
      test::little_endian(0xFFFFFFFF, 4) + test::little_endian(1, 2) +
      test::little_endian(extra.size(), 2) + std::string(14, '\0') + "a" + extra;
  const std::string body = header + "hello";
  const std::string zip = body + entry + "PK\x05\x06" + std::string(12, '\0') +
                          test::little_endian(body.size(), 4) + test::little_endian(0, 2);
  const auto entries = zip_entries(zip);
  ASSERT_TRUE(entries);
  ASSERT_EQ(entries->size(), 1U);
  EXPECT_EQ(packed_bytes_of(zip, entries->front()), "hello");
}

TEST(ZipArchive, SurvivesBeingCutAnywhere) {
  const std::string whole = test::zip_bytes({{"a.txt", "first"}});
  for (std::size_t size = 0; size < whole.size(); ++size)
    EXPECT_FALSE(zip_entries(std::string_view(whole).substr(0, size))) << size;
}

TEST(ZipArchive, HasNoBytesForAnEntryThatPointsElsewhere) {
  const std::string zip = test::zip_bytes({{"a.txt", "first"}});
  ZipEntry entry = zip_entries(zip)->front();
  entry.packed_bytes = zip.size();
  EXPECT_FALSE(packed_bytes_of(zip, entry));
  entry.header_at = ~std::uint64_t{0};
  EXPECT_FALSE(packed_bytes_of(zip, entry));
}

}  // namespace
}  // namespace jouletree
