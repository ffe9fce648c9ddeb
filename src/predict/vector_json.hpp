#pragma once

#include <vector>

#include <Eigen/Dense>
#include <nlohmann/json.hpp>

namespace jouletree::predict {

inline nlohmann::ordered_json vector_json(const Eigen::VectorXd& vector) {
  return std::vector<double>(vector.begin(), vector.end());
}

inline Eigen::VectorXd read_vector(const nlohmann::ordered_json& json) {
  const auto values = json.get<std::vector<double>>();
  return Eigen::Map<const Eigen::VectorXd>(values.data(), static_cast<Eigen::Index>(values.size()));
}

}  // namespace jouletree::predict
