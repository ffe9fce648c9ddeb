#include "store/database/import.hpp"

#include <fstream>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "database/each_database.hpp"
#include "jouletree/error.hpp"
#include "store/database/export.hpp"
#include "support/temp_folder.hpp"

namespace jouletree::store {
namespace {

using sql::Dialect;
using test::first_cell;
using testing::AllOf;
using testing::HasSubstr;

constexpr const char* kTree =
    "{\"model_name\": \"m\", \"batch_size\": 2, \"seq_len\": 8, \"frontend_tree\": {\"id\": "
    "\"m|2|8|root\", \"scope\": \"root\", \"type\": \"model\", \"times_mean\": 0.5, "
    "\"ground_truth_energy\": 4.0, \"child_nodes\": [\"a\"], \"child_nodes_obj\": [{\"id\": \"a\", "
    "\"scope\": \"root.a\", "
    "\"type\": \"ml\", \"instance_type\": \"Linear\", \"flops\": 3.0, \"mem_bytes\": 1.0, "
    "\"times_mean\": 0.25, \"gpu_energy_mean\": 1.5, \"ground_truth_energy\": 2.0}]}}\n";

constexpr const char* kOperators =
    "gpu_config,exec_mode,op_class,op_key,input_shape,runtime_mean_s,runtime_std_s,power_mean_W,"
    "energy_per_iter_mJ,iterations,derived_flops_fwd\r\n"
    "A30,fwd_eval,Conv2d,\"Conv2d(3, 64)@(32, 3)\",\"(32, 3)\",0.001,1e-5,160,160,500,1e6\r\n"
    "A30,fwd_bwd,Conv2d,\"Conv2d(3, 64)@(32, 3)\",\"(32, 3)\",0.003,1e-5,160,480,500,1e6";

class ImportTest : public test::EachDatabase {
 protected:
  Imported import_text(Database& database, const std::string& name, std::string_view text) {
    folder_.write(name, text);
    return import_path(database, name);
  }
  Imported import_path(Database& database, const std::string& name) {
    const auto paths = paths_to_import({(folder_.path() / name).string()});
    return import_source(database, paths.at(0), {"us", "", ""}, [](std::size_t, std::size_t) {});
  }
  std::string exported(Database& database, const Imported& imported) {
    const auto target = folder_.path() / "exported";
    write_source(database, find_source(database, std::to_string(imported.source)), target);
    std::ifstream file(target, std::ios::binary);
    return {std::istreambuf_iterator<char>(file), {}};
  }
  std::string problem_of(Database& database, std::string_view text) {
    try {
      import_text(database, "bad.csv", text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      return error.what();
    }
    return "none";
  }

  test::TempFolder folder_;
};

INSTANTIATE_TEST_SUITE_P(Databases, ImportTest,
                         testing::Values(Dialect::Sqlite, Dialect::Postgresql), test::dialect_name);

TEST_P(ImportTest, TreesBecomeRunsNodesAndMeasurements) {
  Database database = open();
  const Imported imported = import_text(database, "runs.jsonl", kTree);

  EXPECT_EQ(imported.format, "tree");
  EXPECT_EQ(imported.counts.runs, 1);
  EXPECT_EQ(imported.counts.nodes, 2);
  EXPECT_EQ(imported.counts.measurements, 2);
  EXPECT_EQ(first_cell(database, "SELECT flops FROM operators"), "3000000");
  EXPECT_EQ(first_cell(database, "SELECT bytes FROM operators"), "1048576");
  EXPECT_EQ(first_cell(database, "SELECT energy_j FROM energies WHERE domain = 'gpu'"), "1.5");
  EXPECT_EQ(
      first_cell(database,
                 "SELECT m.time_s FROM runs r JOIN measurements m ON m.id = r.measurement_id"),
      "0.5");
  EXPECT_EQ(first_cell(database, "SELECT origin FROM sources"), "us");
}

TEST_P(ImportTest, TablesOfOperatorsAreInSecondsAndJoules) {
  Database database = open();
  const Imported imported = import_text(database, "operators.csv", kOperators);

  EXPECT_EQ(imported.format, "operators");
  EXPECT_EQ(imported.counts.operators, 2) << "forward, and forward with backward";
  EXPECT_EQ(first_cell(database, "SELECT energy_j FROM measurements WHERE time_s = 0.001"), "0.16");
  EXPECT_EQ(first_cell(database, "SELECT source_row FROM measurements WHERE time_s = 0.003"), "2");
  EXPECT_EQ(first_cell(database, "SELECT name FROM machines"), "A30");
  EXPECT_EQ(first_cell(database, "SELECT inputs FROM operators"), "[\"[32,3]\"]");
}

TEST_P(ImportTest, WholeModelsAreFoundByTheNamesOfColumns) {
  Database database = open();
  const Imported imported =
      import_text(database, "nas.csv",
                  "arch_idx,arch_str,latency_ms,latency_var_ms2,energy_mj\n7,|a~0|,4,0.25,8\n");

  EXPECT_EQ(imported.format, "models");
  EXPECT_EQ(first_cell(database, "SELECT name FROM models"), "|a~0|");
  EXPECT_EQ(first_cell(database, "SELECT time_s FROM measurements"), "0.004");
  EXPECT_EQ(first_cell(database, "SELECT time_deviation_s FROM measurements"), "0.0005");
  EXPECT_EQ(first_cell(database, "SELECT energy_j FROM measurements"), "0.008");
}

TEST_P(ImportTest, CountsReferToTheOperatorsOfOtherTables) {
  Database database = open();
  import_text(database, "counts.csv",
              "model,model_input_shape,mode,op_class,op_args,input_shape,count_all_calls\n"
              "net,\"(32, 3)\",eval,Conv2d,\"3, 64\",\"(32, 3)\",5\n");
  import_text(database, "operators.csv", kOperators);

  EXPECT_EQ(first_cell(database,
                       "SELECT c.count FROM model_operators c JOIN measurements m ON m.operator_id "
                       "= c.operator_id WHERE m.conditions = 'fwd_eval'"),
            "5");
  EXPECT_EQ(first_cell(database, "SELECT flops FROM operators WHERE direction = 'forward'"),
            "1000000")
      << "the table of counts came first and knew less";
}

TEST_P(ImportTest, TablesOfIrene) {
  Database database = open();
  const std::string header =
      "batch_size,seq_len,flops,mem_bytes,times_mean,gpu_energy_mean,energy_mean,level_name,"
      "model_name\n";
  import_text(database, "ml1_level_features.csv",
              header + "8.0,32.0,2,1,0.1,1,2,e.w:Linear,bert\n");
  import_text(database, "module_level_features.csv", header + "8.0,32.0,2,1,0.2,1,3,e:Emb,bert\n");
  import_text(database, "model_level_features.csv", header + "8.0,32.0,2,1,0.3,1,4,bert,bert\n");

  EXPECT_EQ(first_cell(database, "SELECT op FROM operators"), "Linear");
  EXPECT_EQ(first_cell(database, "SELECT type FROM modules"), "Emb");
  EXPECT_EQ(first_cell(database, "SELECT energy_j FROM measurements WHERE model_id IS NOT NULL"),
            "4");
}

TEST_P(ImportTest, LayersBecomeARun) {
  Database database = open();
  const Imported imported = import_text(
      database, "layers.csv", "name,type,flops,time_s,energy_j\na,Conv,10,0.5,\nb,Relu,1,0.1,2\n");

  EXPECT_EQ(imported.format, "layers");
  EXPECT_EQ(imported.counts.nodes, 3);
  EXPECT_EQ(first_cell(database, "SELECT count(*) FROM measurements"), "2");
  EXPECT_EQ(first_cell(database, "SELECT source_row FROM measurements WHERE time_s = 0.5"), "1");
  EXPECT_EQ(first_cell(database, "SELECT source_row FROM measurements WHERE time_s = 0.1"), "2");
}

TEST_P(ImportTest, ColumnsSayMachineEngineAndSizes) {
  Database database = open();
  const Imported imported =
      import_text(database, "sizes.csv",
                  "model, batch, sequence, machine, device, engine, threads, latency_ms, colour\n"
                  "a, 4, 128, box, cpu, ORT, 8, 2.5, red\n");

  EXPECT_EQ(first_cell(database, "SELECT batch FROM models"), "4");
  EXPECT_EQ(first_cell(database, "SELECT sequence FROM models"), "128");
  EXPECT_EQ(first_cell(database, "SELECT name FROM machines"), "box");
  EXPECT_EQ(first_cell(database, "SELECT name FROM engines"), "ORT");
  EXPECT_EQ(first_cell(database, "SELECT device FROM engines"), "cpu");
  EXPECT_EQ(first_cell(database, "SELECT threads FROM engines"), "8");
  EXPECT_THAT(imported.notes, testing::ElementsAre("one column is not read, only kept: colour"));
  EXPECT_EQ(import_text(database, "card.csv", "model,device,time_s\na,RTX 4090,1\n").notes.size(),
            0U);
  EXPECT_EQ(first_cell(database, "SELECT count(*) FROM machines WHERE name = 'RTX 4090'"), "1")
      << "what is no part of a machine names one";
}

TEST_P(ImportTest, RowsWithoutFiguresAreNamedAndTheOthersRead) {
  Database database = open();
  const Imported imported = import_text(database, "holes.csv", "model,latency_ms\na,1\nb,\nc,3\n");
  EXPECT_EQ(imported.counts.measurements, 2);
  EXPECT_EQ(first_cell(database, "SELECT count(*) FROM models"), "2");
  EXPECT_THAT(imported.notes, testing::ElementsAre(HasSubstr("one row was not read")));
  EXPECT_THAT(imported.notes, testing::ElementsAre(HasSubstr("line 3")));
}

TEST_P(ImportTest, ExportsOfADatabaseAreRefusedByName) {
  Database database = open();
  import_text(database, "runs.jsonl", kTree);
  for (const auto& [what, name] :
       {std::pair{Exported::Operators, "operators"}, std::pair{Exported::Models, "models"},
        std::pair{Exported::Nodes, "nodes"}}) {
    for (const bool as_json : {false, true}) {
      std::string text;
      export_rows(database, what, as_json, [&](std::string_view line) { text += line; });
      EXPECT_THAT(problem_of(database, text),
                  AllOf(HasSubstr("jouletree db export"), HasSubstr("jouletree db merge"),
                        HasSubstr(as_json ? "jsonl" : name)));
    }
  }
}

TEST_P(ImportTest, RunsOfTheSameModelAreExportedWithTheirOwnIds) {
  Database database = open();
  import_text(database, "first.jsonl", kTree);
  std::string again = kTree;
  again.replace(again.find("0.5"), 3, "0.6");
  import_text(database, "second.jsonl", again);
  std::string text;
  export_runs(database, [&](std::string_view line) { text += line; });

  Database other = open();
  EXPECT_EQ(import_text(other, "both.jsonl", text).counts.runs, 2);
  EXPECT_THAT(text, AllOf(HasSubstr("m|2|8|root#2"), HasSubstr("\"id\":\"a#2\""),
                          HasSubstr("\"child_nodes\":[\"a#2\"]")));
}

TEST_P(ImportTest, RecordingsAreKeptWithTheirFiles) {
  Database database = open();
  folder_.write("run/power_metrics.json",
                "{\"date\": \"2024-03-01 17:05:09.25\", \"metrics\": {\"cpu\": {}, \"gpu\": "
                "{\"nvidia_draw_absolute\": 50.0}}}\n{\"date\": \"2024-03-01 17:05:10.25\", "
                "\"metrics\": {\"cpu\": {}, \"gpu\": {\"nvidia_draw_absolute\": 52.0}}}\n");
  const Imported imported = import_path(database, "run");

  EXPECT_EQ(imported.format, "recording");
  EXPECT_EQ(first_cell(database, "SELECT energy_j FROM recordings"), "51");
  EXPECT_EQ(first_cell(database, "SELECT header FROM sources"), "[\"power_metrics.json\"]");
}

TEST_P(ImportTest, SourcesComeBackByteForByte) {
  Database database = open();
  const std::string long_cell(3000, 'x');
  const std::vector<std::string> texts = {kOperators, std::string(kTree) + "\n",
                                          "\xEF\xBB\xBFmodel;time_s\r\na;0,5\r\n",
                                          "model,time_s\n\"a\nb\",1\n\n" + long_cell + ",2"};
  for (const std::string& text : texts)
    EXPECT_EQ(exported(database, import_text(database, "any", text)), text);
}

TEST_P(ImportTest, MeasuredProfilesAreExportedAsFolders) {
  Database database = open();
  SourceRecord source;
  source.kind = SourceRecord::Kind::Measured;
  source.format = "profile";
  source.name = "zoo: net";
  source.header = R"(["tree.jsonl","layers.csv","profile.json"])";
  source.content_key = "x";
  const Id id = database.add(source);
  database.add_source_rows(
      id, 0, std::vector<std::string>{"tree", "layers", R"({"environment": {"cpu": "Fast CPU"}})"});
  write_sources(database, stored_sources(database), folder_.path() / "out", [](std::size_t) {});

  const auto text_of = [&](const char* name) {
    std::ifstream file(folder_.path() / "out/zoo_net" / name);
    return std::string(std::istreambuf_iterator<char>(file), {});
  };
  EXPECT_EQ(text_of("layers.csv"), "layers");
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "out/zoo_net/profile.json"));
  EXPECT_THAT(text_of("environment.json"), HasSubstr("Fast CPU")) << "from profile.json";
}

TEST_P(ImportTest, ADamagedSourceDoesNotStopTheExportOfOthers) {
  Database database = open();
  const Imported bad = import_text(database, "a.csv", "model,time_s\na,1\n");
  import_text(database, "b.csv", "model,time_s\nb,1\n");
  database.connection().run_script(
      fmt::format("UPDATE source_rows SET size = 99 WHERE source_id = {}", bad.source));
  try {
    write_sources(database, stored_sources(database), folder_.path() / "out", [](std::size_t) {});
    ADD_FAILURE() << "nothing was said";
  } catch (const Error& error) {
    EXPECT_THAT(error.what(), AllOf(HasSubstr("row 0 of source"), HasSubstr("1 of 2 sources")));
  }
  EXPECT_TRUE(std::filesystem::exists(folder_.path() / "out/b.csv"));
  EXPECT_FALSE(std::filesystem::exists(folder_.path() / "out/a.csv"));
}

TEST_P(ImportTest, TheSameContentIsImportedOnce) {
  Database database = open();
  import_text(database, "operators.csv", kOperators);
  const Imported again = import_text(database, "renamed.csv", kOperators);

  EXPECT_TRUE(again.known);
  EXPECT_EQ(again.known_as, "operators.csv");
  EXPECT_EQ(first_cell(database, "SELECT count(*) FROM measurements"), "2");
}

TEST_P(ImportTest, WhatIsNotUnderstoodIsNamedAndNothingIsKept) {
  Database database = open();
  EXPECT_THAT(problem_of(database, "model,latency_ms\na,1\nb,fast\n"),
              HasSubstr("bad.csv: line 3, column latency_ms: 'fast' is not a number"));
  EXPECT_THAT(problem_of(database, "model,latency_ms\na,0\n"),
              HasSubstr("line 2, column latency_ms: is 0; it must be above 0"));
  EXPECT_THAT(problem_of(database, "model,latency_ms\na,1,2\n"),
              HasSubstr("line 2: has 3 fields, but the header has 2"));
  EXPECT_THAT(problem_of(database, "model,latency_ms\na,\n"), HasSubstr("neither a time nor"));
  EXPECT_THAT(problem_of(database, "model,latency_ms\n"), HasSubstr("holds no rows"));
  EXPECT_THAT(problem_of(database, "model,latency_ms,runtime_s\na,4,5\n"),
              AllOf(HasSubstr("line 2"), HasSubstr("latency_ms (4) and runtime_s (5) contradict")));
  EXPECT_THAT(problem_of(database, "model,latency_ms\na,4 ms\n"), HasSubstr("units belong"));
  EXPECT_THAT(problem_of(database, "model,latency_ms\nb\xE9,4\n"),
              HasSubstr("line 2, column model: is not UTF-8"));
  EXPECT_THAT(problem_of(database, "# ours\nmodel,latency_ms\na,4\n"), HasSubstr("'#'"));
  EXPECT_THAT(problem_of(database, std::string("\xFF\xFEm\0,\0", 6)), HasSubstr("UTF-16"));
  EXPECT_THAT(problem_of(database, "model,colour\na,red\n"), HasSubstr("but has: model, colour"));
  EXPECT_THAT(problem_of(database, std::string(kTree) + "{\"model_name\""),
              AllOf(HasSubstr("line 2"), HasSubstr("is not JSON")));
  EXPECT_THAT(problem_of(database, std::string(kTree) + kTree), HasSubstr("also stands in line 1"));
  EXPECT_EQ(first_cell(database, "SELECT count(*) FROM sources"), "0");
  EXPECT_EQ(first_cell(database, "SELECT count(*) FROM models"), "0");
}

TEST(PathsToImport, AFolderStandsForAllThatCanBeImportedBelowIt) {
  const test::TempFolder folder;
  folder.write("data/b.csv", "");
  folder.write("data/a/runs.jsonl", "");
  folder.write("data/a/readme.md", "");
  folder.write("data/run_1/power_metrics.json", "{}");
  const auto paths = paths_to_import({(folder.path() / "data").string()});

  std::vector<std::string> names;
  for (const ImportPath& path : paths) names.push_back(path.name);
  EXPECT_THAT(names, testing::ElementsAre("a/runs.jsonl", "b.csv", "run_1"));
  EXPECT_TRUE(paths[2].is_folder);
  EXPECT_THAT(paths_to_import({(folder.path() / "missing").string()}).at(0).problem,
              HasSubstr("does not exist"));
}

}  // namespace
}  // namespace jouletree::store
