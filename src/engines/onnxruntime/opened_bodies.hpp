#pragma once

#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "engines/onnxruntime/cut_outs.hpp"
#include "engines/onnxruntime/flat_model.hpp"
#include "jouletree/inference.hpp"
#include "runtime/onnxruntime_worker.hpp"

namespace jouletree::engines {

/// What ran of the branches and loops of a model, and the model in which that stands outside.
struct OpenedBodies {
  struct Loop {
    std::int64_t iterations = 0;
    std::int64_t taken = 0;  ///< The iteration that stands for all; the first one is 0.
  };

  std::filesystem::path model;  ///< The flat one; the given one where there is nothing to open.
  /// Then or else, by the name of the If's first output in the flat model.
  std::map<std::string, bool, std::less<>> branches;
  std::map<std::string, bool, std::less<>> flags;  ///< Inputs of one boolean, as they were set.
  std::map<std::string, Loop, std::less<>> loops;  ///< Loops and Scans by their first output.
  std::map<std::string, Loop, std::less<>> idle_loops;  ///< Those that had no iteration.
  /// Nodes of the flat model that are in loops, or are no operators, by their first output.
  std::map<std::string, FlatModel::Origin, std::less<>> origins;

  std::string failure;  ///< Why nothing could be opened; empty where it could.

  [[nodiscard]] bool any() const { return !branches.empty() || !loops.empty(); }
};

/// Lets the engine run the model once per level of nested bodies, with the inputs that it was given
/// before. Nodes of branches that ran take the place of their Ifs; those of one iteration are added
/// to Loops and Scans. Writes models into `folder`. Where the engine refuses them, nothing is
/// opened.
[[nodiscard]] OpenedBodies open_bodies(runtime::OnnxRuntimeWorker& worker,
                                       const std::filesystem::path& model,
                                       const std::filesystem::path& folder);

/// Removes the nodes from the flat graph that are no operators. Where there are any, all values
/// have the types that were recorded, because inference cannot follow.
void remove_nodes_aside(const OpenedBodies& opened, const CutInputs& recorded, Graph& flat);

/// The work of the flat graph, with that of loops as often as they run.
[[nodiscard]] Inference with_runs_of_loops(Inference once, const OpenedBodies& opened,
                                           const Graph& flat);

/// Opens the same bodies in the graph of the original file. Their nodes stand in a module of their
/// If, Loop or Scan, as in a tree that was counted. Ifs that the engine has not seen are decided by
/// the inference. Returns notes for people: what was measured, and how to choose something else.
[[nodiscard]] std::vector<std::string> take_bodies(Graph& original, const OpenedBodies& opened,
                                                   const Inference& inference);

}  // namespace jouletree::engines
