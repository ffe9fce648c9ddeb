#include "cli/predict_subjects.hpp"

#include <fstream>
#include <iostream>

#include <fmt/format.h>

#include "jouletree/error.hpp"
#include "report/predictor_choice.hpp"

namespace jouletree::cli {
namespace {

std::vector<std::string> lines_of(const std::string& list) {
  std::ifstream file;
  if (list != "-") file.open(list);
  if (!file.is_open() && list != "-") {
    throw Error(ErrorKind::BadInput,
                fmt::format("{}: cannot be read; give --list a file with a model per line, or - "
                            "for standard input",
                            list));
  }
  std::istream& in = list == "-" ? std::cin : file;
  std::vector<std::string> lines;
  for (std::string line; std::getline(in, line);) {
    line.erase(line.find_last_not_of(" \t\r") + 1);
    if (!line.empty()) lines.push_back(line);
  }
  return lines;
}

}  // namespace

PredictSubjects predict_subjects(const std::string& predictor,
                                 const std::vector<std::string>& words, const std::string& list) {
  PredictSubjects result{predictor, words};
  if (predictor.empty() && !words.empty() && report::names_predictor(words.front())) {
    result.predictor = words.front();
    result.subjects.erase(result.subjects.begin());
  }
  if (!list.empty()) {
    for (std::string& line : lines_of(list)) result.subjects.push_back(std::move(line));
  }
  if (result.subjects.empty())
    throw Error(ErrorKind::BadInput,
                "name a model (jouletree predict resnet50.onnx), or a list of models with "
                "--list");
  return result;
}

}  // namespace jouletree::cli
