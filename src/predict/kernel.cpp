#include "predict/kernel.hpp"

#include <algorithm>
#include <initializer_list>
#include <vector>

namespace jouletree::predict {
namespace {

constexpr std::array<std::string_view, kKernels> kKernelNames = {"unknown",
                                                                 "blocked convolution",
                                                                 "blocked depthwise convolution",
                                                                 "convolution",
                                                                 "byte convolution",
                                                                 "product",
                                                                 "recurrence",
                                                                 "streaming"};

using TermList = std::vector<CostTerm>;

/// Weights cost by where they come from: models with few of them keep them in a cache.
TermList with_weights(std::initializer_list<CostTerm> own) {
  TermList terms = own;
  terms.insert(terms.end(), {{"weights", "MiB"},
                             {"weights in models beyond 1 MiB", "MiB"},
                             {"weights in models beyond 4 MiB", "MiB"},
                             {"weights in models beyond 12 MiB", "MiB"},
                             {"weights in models beyond 32 MiB", "MiB"}});
  return terms;
}

std::array<TermList, kKernels> make_terms() {
  std::array<TermList, kKernels> all;
  const auto of = [&](Kernel kernel) -> TermList& { return all[static_cast<std::size_t>(kernel)]; };
  // A kernel makes up to six positions of up to four blocks of channels at a time.
  of(Kernel::BlockedConvolution) = with_weights({{"launch", "call"},
                                                 {"six positions of four blocks", "MFLOP"},
                                                 {"three positions of four blocks", "MFLOP"},
                                                 {"single positions of four blocks", "MFLOP"},
                                                 {"six positions of fewer blocks", "MFLOP"},
                                                 {"three positions of fewer blocks", "MFLOP"},
                                                 {"single positions of fewer blocks", "MFLOP"},
                                                 {"inputs", "MiB"},
                                                 {"outputs", "MiB"},
                                                 {"rows of maps", "thousand"},
                                                 {"rows of kernels", "thousand"},
                                                 {"bytes beyond 1 MiB", "MiB"},
                                                 {"bytes beyond 4 MiB", "MiB"},
                                                 {"other arithmetic", "MFLOP"}});
  of(Kernel::BlockedDepthwise) = with_weights({{"launch", "call"},
                                               {"arithmetic", "MFLOP"},
                                               {"arithmetic at the edges", "MFLOP"},
                                               {"inputs", "MiB"},
                                               {"outputs", "MiB"},
                                               {"rows of maps", "thousand"},
                                               {"bytes beyond 1 MiB", "MiB"},
                                               {"bytes beyond 4 MiB", "MiB"},
                                               {"other arithmetic", "MFLOP"}});
  of(Kernel::Convolution) = with_weights({{"launch", "call"},
                                          {"arithmetic", "MFLOP"},
                                          {"tiles of 12x16", "MFLOP"},
                                          {"tiles of 12x64", "MFLOP"},
                                          {"copied windows", "MiB"},
                                          {"inputs", "MiB"},
                                          {"outputs", "MiB"},
                                          {"groups", "group"},
                                          {"rows of maps", "thousand"},
                                          {"bytes beyond 1 MiB", "MiB"},
                                          {"bytes beyond 4 MiB", "MiB"},
                                          {"other arithmetic", "MFLOP"}});
  of(Kernel::ByteConvolution) = with_weights({{"launch", "call"},
                                              {"arithmetic", "MFLOP"},
                                              {"columns of 16", "MFLOP"},
                                              {"depths of 16", "MFLOP"},
                                              {"copied windows", "MiB"},
                                              {"inputs", "MiB"},
                                              {"outputs", "MiB"},
                                              {"positions", "thousand"},
                                              {"turned maps", "MiB"}});
  of(Kernel::Product) = with_weights({{"launch", "call"},
                                      {"arithmetic", "MFLOP"},
                                      {"rows of 12", "MFLOP"},
                                      {"columns of 16", "MFLOP"},
                                      {"columns of 64", "MFLOP"},
                                      {"inputs", "MiB"},
                                      {"outputs", "MiB"},
                                      {"matrices", "matrix"},
                                      {"computed operands", "MiB"},
                                      {"tiles of 12x16", "thousand"},
                                      {"bytes beyond 1 MiB", "MiB"},
                                      {"bytes beyond 4 MiB", "MiB"},
                                      {"other arithmetic", "MFLOP"},
                                      {"operands, for 1 to 5 rows", "MiB"},
                                      {"operands, for 6 to 11 rows", "MiB"},
                                      {"operands, for 12 to 24 rows", "MiB"}});
  of(Kernel::Recurrence) = with_weights({{"launch", "call"},
                                         {"steps", "thousand"},
                                         {"arithmetic on inputs", "MFLOP"},
                                         {"arithmetic on states", "MFLOP"},
                                         {"weights of states, each step", "MiB"},
                                         {"the same beyond 1 MiB", "MiB"},
                                         {"the same beyond 1/4 MiB", "MiB"},
                                         {"states", "million"}});
  of(Kernel::Streaming) = {{"launch", "call"},
                           {"inputs", "MiB"},
                           {"outputs", "MiB"},
                           {"arithmetic", "MFLOP"},
                           {"pieces", "thousand"},
                           {"bytes beyond 1/4 MiB", "MiB"},
                           {"bytes beyond 1 MiB", "MiB"},
                           {"bytes beyond 4 MiB", "MiB"},
                           {"bytes beyond 16 MiB", "MiB"},
                           {"bytes beyond 64 MiB", "MiB"},
                           {"weights", "MiB"}};
  return all;
}

}  // namespace

std::string_view name_of(Kernel kernel) { return kKernelNames[static_cast<std::size_t>(kernel)]; }

Kernel kernel_from_name(std::string_view name) {
  const auto* const found = std::find(kKernelNames.begin(), kKernelNames.end(), name);
  return found == kKernelNames.end() ? Kernel::Unknown
                                     : static_cast<Kernel>(found - kKernelNames.begin());
}

std::span<const CostTerm> terms_of(Kernel kernel) {
  static const std::array<TermList, kKernels> kTerms = make_terms();
  return kTerms[static_cast<std::size_t>(kernel)];
}

}  // namespace jouletree::predict
