#pragma once

#include <dlfcn.h>

#include <stdexcept>

#include <gtest/gtest.h>

#include "jouletree/probe.hpp"
#include "meters/stub_nvml.hpp"
#include "support/fake_machine.hpp"

namespace jouletree::test {

/// Opens the stub beside the code under test, which gets the same copy.
class StubNvmlTest : public testing::Test {
 protected:
  StubNvmlTest() : library_(::dlopen(STUB_NVML, RTLD_NOW | RTLD_LOCAL)) {
    if (library_ == nullptr) throw std::runtime_error(::dlerror());
    stub = reinterpret_cast<StubNvmlState*>(::dlsym(library_, "stub_nvml_state"))();
    *stub = StubNvml{};
    options = root.options(clock);
    options.nvml_library = STUB_NVML;
  }
  ~StubNvmlTest() override { ::dlclose(library_); }
  StubNvmlTest(const StubNvmlTest&) = delete;
  StubNvmlTest& operator=(const StubNvmlTest&) = delete;

  FakeRoot root;
  SimClock clock;
  ProbeOptions options;
  StubNvml* stub = nullptr;

 private:
  void* library_;
};

}  // namespace jouletree::test
