#pragma once

#include <optional>
#include <string>
#include <vector>

#include "jouletree/graph.hpp"

namespace jouletree::model {

/// What a dimension of an input counts.
enum class AxisKind : std::uint8_t {
  Other,
  ImageSide,   ///< Height or width of an image.
  MapSide,     ///< The same of something with more channels than an image, such as latents.
  Samples,     ///< Of a waveform.
  Frames,      ///< Of a spectrogram, or of other features over time.
  VolumeSide,  ///< Of a volume, or of a video.
};

struct AxisFacts {
  AxisKind kind = AxisKind::Other;
  std::optional<Dim> demanded;  ///< By the weights of an operator that the input reaches.
  std::string demanded_by;      ///< Names that operator.
};

/// What the operators that an input reaches say about it. Hints: what is unknown on the way to
/// them is left out.
struct InputFacts {
  std::vector<AxisFacts> axes;  ///< Empty where neither the file nor the operators say the rank.
};

[[nodiscard]] InputFacts facts_about(const Graph& graph, ValueId input);

}  // namespace jouletree::model
