#include "model/onnx/wire.hpp"

#include <string>

#include <gmock/gmock.h>
#include <protozero/pbf_writer.hpp>

namespace jouletree::model::onnx {
namespace {

using testing::ElementsAre;

TEST(Message, ReadsWhatProtozeroWrites) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  const std::string long_text(300, 'x');
  const std::int64_t integers[] = {0, -1, 127, 128, std::int64_t{1} << 40};
  const float reals[] = {0.5F, -2};
  writer.add_int64(1, -5);
  writer.add_string(2, "short");
  writer.add_string(16, long_text);
  writer.add_float(4, 1.5F);
  writer.add_fixed64(5, 7);
  writer.add_packed_int64(6, std::begin(integers), std::end(integers));
  writer.add_packed_float(7, std::begin(reals), std::end(reals));
  writer.add_int64(6, 300);
  writer.add_float(7, 3);

  Message message(bytes);
  std::vector<std::int64_t> read_integers;
  std::vector<float> read_reals;
  const auto next = [&](protozero::pbf_tag_type tag) {
    ASSERT_TRUE(message.next());
    ASSERT_EQ(message.tag(), tag);
  };
  next(1);
  EXPECT_EQ(message.integer(), -5);
  next(2);
  EXPECT_EQ(message.text(), "short");
  next(16);
  EXPECT_EQ(message.text(), long_text);
  next(4);
  EXPECT_EQ(message.real(), 1.5F);
  next(5);
  message.skip();
  next(6);
  message.append_integers(read_integers);
  next(7);
  message.append_reals(read_reals);
  next(6);
  message.append_integers(read_integers);
  next(7);
  message.append_reals(read_reals);
  EXPECT_FALSE(message.next());
  EXPECT_THAT(read_integers, ElementsAre(0, -1, 127, 128, std::int64_t{1} << 40, 300));
  EXPECT_THAT(read_reals, ElementsAre(0.5F, -2, 3));
}

TEST(Message, SkipsFieldsOfEveryKind) {
  std::string bytes;
  protozero::pbf_writer writer(bytes);
  writer.add_int64(1, std::int64_t{1} << 60);
  writer.add_string(2, std::string(200, 'x'));
  writer.add_float(3, 1);
  writer.add_fixed64(4, 1);
  Message message(bytes);
  int fields = 0;
  for (; message.next(); ++fields) message.skip();
  EXPECT_EQ(fields, 4);
}

/// Reads all fields of bytes that are no message.
void read_all(std::string_view bytes) {
  Message message(bytes);
  while (message.next()) message.skip();
}

TEST(Message, RefusesWhatIsNoMessage) {
  EXPECT_THROW(read_all(std::string("\x00\x01", 2)), protozero::invalid_tag_exception);
  EXPECT_THROW(read_all("\x0b"), protozero::unknown_pbf_wire_type_exception);
  EXPECT_THROW(read_all("\x0a\x05"
                        "abc"),
               protozero::end_of_buffer_exception);
  EXPECT_THROW(read_all("\x0a"), protozero::end_of_buffer_exception);
  EXPECT_THROW(read_all("\x08\x80"), protozero::end_of_buffer_exception);
  EXPECT_THROW(read_all("\x0d\x01\x02"), protozero::end_of_buffer_exception);
  EXPECT_THROW(read_all("\x08\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01"),
               protozero::varint_too_long_exception);
}

TEST(Message, RefusesFieldsOfAnotherType) {
  Message number("\x08\x01");
  ASSERT_TRUE(number.next());
  EXPECT_THROW((void)number.text(), Error);
  EXPECT_THROW((void)number.real(), Error);
  Message text("\x0a\x01x");
  ASSERT_TRUE(text.next());
  EXPECT_THROW((void)text.integer(), Error);
  Message reals("\x3a\x03xyz");
  ASSERT_TRUE(reals.next());
  std::vector<float> read;
  EXPECT_THROW(reals.append_reals(read), protozero::invalid_length_exception);
}

}  // namespace
}  // namespace jouletree::model::onnx
