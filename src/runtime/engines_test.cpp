#include "runtime/engines.hpp"

#include <fstream>

#include <gmock/gmock.h>

#include "runtime/engine_folder.hpp"
#include "runtime/library_version.hpp"
#include "runtime/onnx_runtime.hpp"
#include "support/environment_variable.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::runtime {
namespace {

namespace fs = std::filesystem;
using test::EnvironmentVariable;
using test::TempFolder;
using ::testing::AllOf;
using ::testing::HasSubstr;
using ::testing::Not;

constexpr const char* kLibrary = "libonnxruntime.so.1";

/// Puts a library in place under the name that is looked for.
fs::path place(const char* library, const fs::path& folder) {
  fs::create_directories(folder);
  fs::copy_file(library, folder / kLibrary);
  return fs::canonical(folder / kLibrary);
}

EngineStatus onnx_runtime(const fs::path& folder) { return find_engines(folder).at(0); }
EngineStatus libtorch(const fs::path& folder) { return find_engines(folder).at(1); }

TEST(Engines, FindsOnnxRuntimeInTheEngineFolderWithVersionAndPath) {
  const TempFolder folder;
  const EnvironmentVariable unset("ONNXRUNTIME_ROOT", "");
  const fs::path library = place(JOULETREE_FAKE_ONNXRUNTIME, folder.path());

  const EngineStatus status = onnx_runtime(folder.path());

  EXPECT_TRUE(status.found) << status.detail;
  EXPECT_EQ(status.name, "ONNX Runtime");
  EXPECT_EQ(status.detail, "9.8.7 in " + library.string());
}

TEST(Engines, TheVersionOfOnnxRuntimeStandsInItsFile) {
  const TempFolder folder;
  const EnvironmentVariable unset("ONNXRUNTIME_ROOT", "");
  place(JOULETREE_FAKE_ONNXRUNTIME, folder.path());
  EXPECT_EQ(onnx_runtime_version(folder.path()), "9.8.7");
}

TEST(Engines, WhereTheFileDoesNotTellTheVersionItsNameMay) {
  const TempFolder folder;
  const EnvironmentVariable unset("ONNXRUNTIME_ROOT", "");
  folder.write("libonnxruntime.so.1.22.3", "no library");
  EXPECT_EQ(onnx_runtime_version(folder.path()), "1.22.3");
  folder.write(kLibrary, "no library either");
  EXPECT_EQ(onnx_runtime_version(folder.path()), std::nullopt);
  const EnvironmentVariable chosen("ONNXRUNTIME_ROOT", "/there/is/none");
  EXPECT_EQ(onnx_runtime_version(folder.path()), std::nullopt);
}

TEST(Engines, ALibraryThatWasCutOffHasNoVersion) {
  const TempFolder folder;
  std::ifstream whole(JOULETREE_FAKE_ONNXRUNTIME, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(whole), {}};
  for (std::size_t size = 0; size < bytes.size(); size += 97) {
    const fs::path cut = folder.write("cut.so", bytes.substr(0, size));
    (void)symbol_version(cut, "VERS_");
  }
  EXPECT_EQ(symbol_version(folder.write("cut.so", bytes), "VERS_"), "9.8.7");
  EXPECT_EQ(symbol_version(folder.path() / "absent.so", "VERS_"), std::nullopt);
}

TEST(Engines, TheChosenRootWinsOverTheEngineFolder) {
  const TempFolder folder;
  const TempFolder root;
  place(JOULETREE_CRASHING_LIBRARY, folder.path());
  const fs::path library = place(JOULETREE_FAKE_ONNXRUNTIME, root.path() / "lib");
  const EnvironmentVariable chosen("ONNXRUNTIME_ROOT", root.path().string());

  const EngineStatus status = onnx_runtime(folder.path());

  EXPECT_TRUE(status.found);
  EXPECT_THAT(status.detail, HasSubstr(library.string()));
}

TEST(Engines, AChosenRootWithoutALibraryIsNotReplacedInSilence) {
  const TempFolder folder;
  const TempFolder root;
  place(JOULETREE_FAKE_ONNXRUNTIME, folder.path());
  const EnvironmentVariable chosen("ONNXRUNTIME_ROOT", root.path().string());

  const EngineStatus status = onnx_runtime(folder.path());

  EXPECT_FALSE(status.found);
  EXPECT_THAT(status.detail, HasSubstr("ONNXRUNTIME_ROOT is " + root.path().string()));
}

TEST(Engines, ALibraryThatCrashesIsNamedAsBroken) {
  const TempFolder folder;
  const EnvironmentVariable unset("ONNXRUNTIME_ROOT", "");
  const fs::path library = place(JOULETREE_CRASHING_LIBRARY, folder.path());

  const EngineStatus status = onnx_runtime(folder.path());

  EXPECT_FALSE(status.found);
  EXPECT_THAT(status.detail, AllOf(HasSubstr(library.filename().string() + " is broken"),
                                   HasSubstr("it crashes: Aborted")));
}

TEST(Engines, AFileThatIsNoLibraryIsNamedAsBroken) {
  const TempFolder folder;
  const EnvironmentVariable unset("ONNXRUNTIME_ROOT", "");
  folder.write(kLibrary, "not a library");

  const EngineStatus status = onnx_runtime(folder.path());

  EXPECT_FALSE(status.found);
  EXPECT_THAT(status.detail, AllOf(HasSubstr("is broken"), HasSubstr("ONNXRUNTIME_ROOT")));
}

TEST(Engines, ThoseWhoInstalledThePythonPackageAreToldWhatPipInstalls) {
  const TempFolder folder;
  const EnvironmentVariable unset("ONNXRUNTIME_ROOT", "");
  folder.write(kLibrary, "not a library");
  {
    const EnvironmentVariable package("JOULETREE_PACKAGE_PYTHON", "/usr/bin/python3");
    EXPECT_THAT(onnx_runtime(folder.path()).detail, HasSubstr("pip install onnxruntime"));
    EXPECT_THAT(libtorch(folder.path()).detail,
                AllOf(HasSubstr("pip install torch"), Not(HasSubstr("apt"))));
  }
  EXPECT_THAT(onnx_runtime(folder.path()).detail, Not(HasSubstr("pip")));
}

TEST(Engines, LibTorchIsFoundWhereItsPlugInLoads) {
  const TempFolder folder;
  EXPECT_FALSE(libtorch(folder.path()).found);
  EXPECT_THAT(libtorch(folder.path()).detail, HasSubstr("jouletree-torch"));

  folder.write("libjouletree_torch.so", "no library");
  EXPECT_FALSE(libtorch(folder.path()).found);
  EXPECT_THAT(libtorch(folder.path()).detail, HasSubstr("cannot be used"));

  const TempFolder other;
  fs::copy_file(JOULETREE_FAKE_ENGINE, other.path() / "libjouletree_torch.so");
  EXPECT_TRUE(libtorch(other.path()).found);
  EXPECT_THAT(libtorch(other.path()).detail, HasSubstr("6.5.4"));
}

TEST(Engines, ALibraryWithItsVersionInItsNameIsFoundTheNewestFirst) {
  const TempFolder root;
  const EnvironmentVariable chosen("ONNXRUNTIME_ROOT", root.path().string());
  root.write("libonnxruntime.so.1.9.0", "old");
  root.write("libonnxruntime.so.1.31.1", "new");
  root.write("libonnxruntime.so.1.99.0.bak", "no version");

  EXPECT_EQ(onnx_runtime_library("nowhere"), root.path() / "." / "libonnxruntime.so.1.31.1");

  root.write("libonnxruntime.so.1", "the official name");
  EXPECT_EQ(onnx_runtime_library("nowhere"), root.path() / "." / "libonnxruntime.so.1");
}

TEST(Engines, AProgramMaySayWhereElseTheLibraryIs) {
  const TempFolder engines;
  const TempFolder others;
  const EnvironmentVariable unset("ONNXRUNTIME_ROOT", "");
  others.write("libonnxruntime.so.1.31.1", "");
  set_onnx_runtime_folder(others.path());

  EXPECT_EQ(onnx_runtime_library(engines.path()), others.path() / "libonnxruntime.so.1.31.1");
  engines.write(kLibrary, "");
  EXPECT_EQ(onnx_runtime_library(engines.path()), engines.path() / kLibrary);

  set_onnx_runtime_folder({});
}

TEST(Engines, TheFolderIsThatOfTheInstallationUnlessChosen) {
  const EnvironmentVariable unset("JOULETREE_ENGINE_DIR", "");
  EXPECT_EQ(engine_folder(),
            fs::canonical("/proc/self/exe").parent_path().parent_path() / "lib/jouletree");

  set_engine_folder("of-the-host");
  EXPECT_EQ(engine_folder(), "of-the-host");

  const EnvironmentVariable chosen("JOULETREE_ENGINE_DIR", "elsewhere");
  EXPECT_EQ(engine_folder(), "elsewhere");
  set_engine_folder({});
}

}  // namespace
}  // namespace jouletree::runtime
