#pragma once

#include <map>

#include "predict/fitted.hpp"
#include "predict/lasso.hpp"
#include "predict/layer_configuration.hpp"
#include "predict/operator_load.hpp"

namespace jouletree::predict {

/// Power also gets the logarithms of what runtime gets.
enum class Logarithms { Without, With };

/// A polynomial of a layer's configuration plus FLOPs and bytes, scaled to the training data.
struct LayerPolynomial {
  int degree = 1;
  Lasso lasso;
  Range values;  ///< Of the training data; predictions stay within a factor of ten of them.
};

/// Runtime and power of one type of layer.
struct LayerModels {
  std::vector<std::string> sizes;  ///< Of the configuration: what the polynomials are made of.
  LayerPolynomial time;
  std::optional<LayerPolynomial> power;
};

/// NeuralPower: layers by sparse polynomials of their configuration, runtime and power apart;
/// energy is their product, a network the sum of its layers.
class NeuralPower : public Fitted {
 public:
  NeuralPower(Target target, std::map<std::string, LayerModels, std::less<>> layers)
      : target_(target), layers_(std::move(layers)) {}
  [[nodiscard]] std::vector<double> predict(const LoadedRun& loaded,
                                            FeatureSet features) const override;
  [[nodiscard]] std::vector<Explanation> terms() const override;
  [[nodiscard]] std::vector<Explanation> parts(const TreeRun& run, std::size_t node,
                                               FeatureSet features) const override;
  [[nodiscard]] nlohmann::ordered_json to_json() const override;
  [[nodiscard]] static std::unique_ptr<NeuralPower> from_json(Target target,
                                                              const nlohmann::ordered_json& json);

 private:
  Target target_;
  std::map<std::string, LayerModels, std::less<>> layers_;
};

/// A layer as the polynomials see it.
struct LayerWork {
  LayerConfiguration configuration;
  double mflops = 0;
  double mebibytes = 0;

  LayerWork(const RunNode& node, const OperatorLoad& work);
};

/// Seconds.
[[nodiscard]] double layer_time(const LayerModels& models, const LayerWork& work);

/// MFLOP and MiB, logarithms where wanted, then all products of up to `degree` sizes of the
/// configuration; those of a lower degree come first.
[[nodiscard]] Eigen::VectorXd layer_terms(const LayerWork& work, int degree, Logarithms logarithms);
/// So many.
[[nodiscard]] std::size_t layer_term_count(std::size_t sizes, int degree, Logarithms logarithms);

[[nodiscard]] std::unique_ptr<Trainer> make_neuralpower_trainer(const std::vector<TreeRun>& runs,
                                                                Target target,
                                                                const TrainOptions& options);

}  // namespace jouletree::predict
