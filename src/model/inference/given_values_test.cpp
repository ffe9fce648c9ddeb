#include "model/inference/given_values.hpp"

#include <gtest/gtest.h>

#include "jouletree/error.hpp"

namespace jouletree::model {
namespace {

std::string refusal_of(DataType type, const Scalar& element) {
  try {
    (void)elements_as(type, {element});
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "";
}

TEST(GivenValues, NumbersBecomeWhatTheInputHolds) {
  EXPECT_EQ(elements_as(DataType::Float32, {Scalar::integer(2)}), (Elements{Scalar::real(2)}));
  EXPECT_EQ(elements_as(DataType::Int64, {Scalar::real(16000)}),
            (Elements{Scalar::integer(16000)}));
  EXPECT_EQ(elements_as(DataType::Bool, {Scalar::real(1), Scalar::integer(0)}),
            (Elements{Scalar::boolean(true), Scalar::boolean(false)}));
  EXPECT_EQ(elements_as(DataType::Int8, {Scalar::integer(-128)}),
            (Elements{Scalar::integer(-128)}));
  EXPECT_EQ(elements_as(DataType::UInt8, {Scalar::integer(255)}), (Elements{Scalar::integer(255)}));
}

TEST(GivenValues, WhatTheInputCannotHoldIsRefused) {
  EXPECT_EQ(refusal_of(DataType::Bool, Scalar::integer(2)),
            "2 is not possible for elements of type bool: give true or false");
  EXPECT_EQ(refusal_of(DataType::Int64, Scalar::real(1.5)),
            "1.5 is not possible for elements of type int64: give whole numbers");
  EXPECT_EQ(refusal_of(DataType::UInt8, Scalar::integer(-1)),
            "-1 is not possible for elements of type uint8: give numbers of 0 or more");
  EXPECT_EQ(refusal_of(DataType::Int8, Scalar::integer(300)),
            "300 is not possible for elements of type int8: give numbers from -128 to 127");
  EXPECT_NE(refusal_of(DataType::String, Scalar::integer(3)), "");
}

}  // namespace
}  // namespace jouletree::model
