#include "store/profile_folder.hpp"

#include <fstream>
#include <sstream>

#include <gmock/gmock.h>

#include "jouletree/error.hpp"
#include "store/measured_data.hpp"
#include "support/sample_profile.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

using OrderedJson = nlohmann::ordered_json;
using test::SampleProfile;
using test::TempFolder;
using testing::AllOf;
using testing::HasSubstr;

std::string content_of(const std::filesystem::path& path) {
  std::ostringstream text;
  text << std::ifstream(path).rdbuf();
  return text.str();
}

std::string problem_of_folder(const std::filesystem::path& folder) {
  try {
    (void)read_profile_folder(folder);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "";
}

std::string refusal(const std::filesystem::path& folder, OlderProfile older) {
  try {
    prepare_profile_folder(folder, older);
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::BadInput);
    return error.what();
  }
  return "";
}

TEST(ProfileFolder, HoldsAllFiles) {
  const TempFolder temp;
  const SampleProfile sample;
  const auto folder = temp.path() / "new" / "profile";
  EXPECT_FALSE(holds_profile(folder));
  write_profile_folder(sample.profile, view_of(sample.profile, 0.9), folder);
  EXPECT_TRUE(holds_profile(folder));
  EXPECT_EQ(OrderedJson::parse(content_of(folder / "environment.json"))["cpu"], "Fast CPU");
  EXPECT_TRUE(OrderedJson::parse(content_of(folder / "trace.json")).contains("traceEvents"));
  EXPECT_TRUE(OrderedJson::parse(content_of(folder / "run_trace.json")).contains("traceEvents"));
  EXPECT_EQ(content_of(folder / "latency.csv"), "0.009\n0.01\n0.01\n0.011\n0.02\n");
  EXPECT_THAT(content_of(folder / "layers.csv"), HasSubstr("embed.Gather"));
  EXPECT_THAT(content_of(folder / "trials.jsonl"), HasSubstr("\"kind\":\"whole\""));
  const OrderedJson root = OrderedJson::parse(content_of(folder / "tree.jsonl"))["frontend_tree"];
  EXPECT_DOUBLE_EQ(root["times_mean"], 0.01);
  EXPECT_DOUBLE_EQ(root["cpu"], 25);
  EXPECT_DOUBLE_EQ(root["mem"], 25);
  EXPECT_TRUE(root["gpu"].is_null());
}

TEST(ProfileFolder, IsReadAgain) {
  const TempFolder temp;
  const SampleProfile sample;
  write_profile_folder(sample.profile, view_of(sample.profile, 0.9), temp.path());
  const StoredProfile stored = read_profile_folder(temp.path());
  EXPECT_EQ(stored.view.model, "sample");
  EXPECT_EQ(stored.view.tree.size(), view_of(sample.profile, 0.9).tree.size());
}

TEST(ProfileFolder, ThatIsDamagedIsRefused) {
  const TempFolder temp;
  const SampleProfile sample;
  write_profile_folder(sample.profile, view_of(sample.profile, {}), temp.path());
  const std::string whole = content_of(temp.path() / "profile.json");
  temp.write("profile.json", whole.substr(0, whole.size() / 2));
  EXPECT_THAT(problem_of_folder(temp.path()), HasSubstr("profile.json: is a damaged profile ("));
  temp.write("profile.json", "{\"name\": \"something else\"}");
  EXPECT_THAT(problem_of_folder(temp.path()), HasSubstr("is not a profile"));
}

TEST(ProfileFolder, ThatIsNotThereIsToldApartFromOneThatHoldsNone) {
  const TempFolder folder;
  const std::string missing = (folder.path() / "nosuch").string();
  EXPECT_TRUE(problem_of_folder(missing).starts_with(missing + ": does not exist;"));
  EXPECT_TRUE(problem_of_folder(folder.path())
                  .starts_with(folder.path().string() + ": holds no profile.json;"));
  const auto file = folder.write("file", "x");
  EXPECT_TRUE(problem_of_folder(file).starts_with(file.string() + ": is not a folder;"));
}

TEST(ProfileFolder, ThatCannotBeMadeIsAnError) {
  const TempFolder temp;
  const auto file = temp.write("file", "");
  EXPECT_THROW(prepare_profile_folder(file / "folder", OlderProfile::Keep), Error);
  EXPECT_THAT(refusal(file, OlderProfile::Replace), HasSubstr("is a file; name a folder"));
}

TEST(ProfileFolder, KeepsAnOlderProfileUnlessItIsToBeReplaced) {
  const TempFolder temp;
  SampleProfile sample;
  write_profile_folder(sample.profile, view_of(sample.profile, {}), temp.path());
  const std::string before = content_of(temp.path() / "profile.json");
  EXPECT_THAT(refusal(temp.path(), OlderProfile::Keep),
              AllOf(HasSubstr("holds a profile already (tree.jsonl)"), HasSubstr("--replace")));
  sample.profile.engine = "Engine 1.3";
  EXPECT_THROW(write_profile_folder(sample.profile, view_of(sample.profile, {}), temp.path()),
               Error);
  EXPECT_EQ(content_of(temp.path() / "profile.json"), before);
  temp.write("notes.txt", "mine");
  write_profile_folder(sample.profile, view_of(sample.profile, {}), temp.path(),
                       OlderProfile::Replace);
  EXPECT_EQ(read_profile_folder(temp.path()).view.engine, "Engine 1.3");
  EXPECT_EQ(content_of(temp.path() / "notes.txt"), "mine");
}

TEST(ProfileFolder, IsTheNewOneWhereSomebodyWasKilledWhileFilesMoved) {
  const TempFolder temp;
  SampleProfile sample;
  const auto folder = temp.path() / "profile";
  write_profile_folder(sample.profile, view_of(sample.profile, {}), folder);
  sample.profile.engine = "Engine 1.3";
  sample.profile.latencies_s = {0.5};
  // As if all but one had been moved.
  const auto moving = folder / ".jouletree-profile";
  write_profile_folder(sample.profile, view_of(sample.profile, {}), moving);
  std::filesystem::rename(moving / "latency.csv", folder / "latency.csv");
  EXPECT_THAT(content_of(profile_file(folder, "profile.json")), HasSubstr("Engine 1.3"));
  EXPECT_EQ(content_of(profile_file(folder, "latency.csv")), "0.5\n");
  EXPECT_EQ(profiles_below(temp.path()), std::vector<std::string>{folder.string()});
  EXPECT_EQ(read_profile_folder(folder).view.engine, "Engine 1.3");
  EXPECT_THAT(content_of(folder / "profile.json"), HasSubstr("Engine 1.3"));
  EXPECT_FALSE(std::filesystem::exists(moving));
}

TEST(ProfileFolder, IsCopiedAsAWhole) {
  const TempFolder temp;
  SampleProfile sample;
  write_profile_folder(sample.profile, view_of(sample.profile, {}), temp.path() / "from");
  temp.write("from/notes.txt", "mine");
  const std::string json = content_of(temp.path() / "from" / "profile.json");
  copy_profile_folder(temp.path() / "from", temp.path() / "to", OlderProfile::Keep, json);
  for (const auto* name : {"profile.json", "tree.jsonl", "trials.jsonl", "trace.json"})
    EXPECT_EQ(content_of(temp.path() / "to" / name), content_of(temp.path() / "from" / name));
  EXPECT_FALSE(std::filesystem::exists(temp.path() / "to" / "notes.txt"));
  EXPECT_THROW(
      copy_profile_folder(temp.path() / "from", temp.path() / "to", OlderProfile::Keep, json),
      Error);
}

TEST(ProfileFolder, AScoreTakesThePlaceOfAnOlderOneAndLeavesAllElse) {
  const TempFolder temp;
  SampleProfile sample;
  const std::filesystem::path folder = temp.path() / "sample";
  write_profile_folder(sample.profile, view_of(sample.profile, {}), folder);
  const std::string trials = content_of(folder / "trials.jsonl");
  const auto before = read_profile_folder(folder).json;
  for (const char* const name : {"top1", "loss"}) {
    Score score;
    score.metrics = {{name, name, 0.5, Better::Higher, MetricScale::Ratio}};
    score.examples = 4;
    add_score(score, folder);
  }
  auto json = read_profile_folder(folder).json;
  EXPECT_TRUE(json["metrics"].contains("score_loss"));
  EXPECT_FALSE(json["metrics"].contains("score_top1"));
  EXPECT_EQ(read_profile_folder(folder).view.score->metrics[0].name, "loss");
  EXPECT_EQ(content_of(folder / "trials.jsonl"), trials);
  json.erase("score");
  json["metrics"].erase("score_loss");
  EXPECT_EQ(json.dump(), before.dump());
  EXPECT_THROW(add_score({}, temp.path()), Error);
}

TEST(ProfileFolder, IsNotNamedLikeAFile) {
  const TempFolder temp;
  EXPECT_THAT([&] { prepare_profile_folder(temp.path() / "net.csv", OlderProfile::Keep); },
              testing::ThrowsMessage<Error>(testing::HasSubstr("layers.csv is the per-layer CSV")));
  EXPECT_FALSE(std::filesystem::exists(temp.path() / "net.csv"));
  EXPECT_THROW(prepare_profile_folder("", OlderProfile::Keep), Error);
  EXPECT_NO_THROW(prepare_profile_folder(temp.path() / "resnet-18.v2", OlderProfile::Keep));
}

TEST(ProfileFolder, ASingleFileOfAnOlderProfileIsEnoughToRefuse) {
  const TempFolder temp;
  temp.write("layers.csv", "somebody's");
  EXPECT_THAT(refusal(temp.path(), OlderProfile::Keep),
              HasSubstr("holds a profile already (layers.csv)"));
  EXPECT_EQ(refusal(temp.path(), OlderProfile::Replace), "");
}

TEST(ProfileFolder, NeitherRecordingsNorFoldersAreReplaced) {
  const TempFolder recording;
  recording.write("power_metrics.json", "{}\n");
  EXPECT_THAT(refusal(recording.path(), OlderProfile::Replace), HasSubstr("holds a recording"));
  const TempFolder folder;
  std::filesystem::create_directory(folder.path() / "trace.json");
  EXPECT_THAT(refusal(folder.path(), OlderProfile::Replace), HasSubstr("is in the way"));
}

}  // namespace
}  // namespace jouletree::store
