#pragma once

#include <map>
#include <string>
#include <vector>

#include "engines/data/file_tensor.hpp"
#include "jouletree/inference.hpp"

namespace jouletree::engines {

/// Data for inputs, by input name.
using InputFiles = std::map<std::string, FileTensor, std::less<>>;

/// What a file holds for an input: the data of one run, or examples that are run batch by batch,
/// whose first dimension is theirs and none of the model's.
enum class DataUse { OneRun, Examples };

/// Opens what the user gives as data: NAME=FILE.npy, FILE.npz, NAME=FILE.pb or a folder of
/// input_0.pb, input_1.pb … (ONNX's test_data_set). What has no name goes to the input whose name
/// its file holds, a folder's tensors else in the order of the inputs. Converted data go to
/// `scratch`, which must outlive their use.
///
/// The settings learn the shapes of the data, and the content of small ones, which may decide other
/// shapes. Throws Error(BadInput), naming file and input, for data that contradict the model, the
/// settings or each other.
[[nodiscard]] InputFiles open_input_files(const std::vector<std::string>& given, const Graph& graph,
                                          InputSettings& settings,
                                          const std::filesystem::path& scratch,
                                          DataUse use = DataUse::OneRun);

}  // namespace jouletree::engines
