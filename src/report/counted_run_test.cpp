#include <sstream>

#include <gtest/gtest.h>

#include "jouletree/tree_files.hpp"
#include "jouletree/tree_run.hpp"
#include "report/counted_model.hpp"

namespace jouletree {
namespace {

void expect_equal(const RunNode& made, const RunNode& read) {
  EXPECT_EQ(made.id, read.id);
  EXPECT_EQ(made.scope, read.scope);
  EXPECT_EQ(made.type, read.type);
  EXPECT_EQ(made.is_engine_made, read.is_engine_made);
  EXPECT_EQ(made.is_blocked, read.is_blocked);
  EXPECT_EQ(made.level, read.level);
  EXPECT_EQ(made.parent, read.parent);
  EXPECT_EQ(made.children, read.children);
  EXPECT_EQ(made.params, read.params);
  EXPECT_EQ(made.mflops, read.mflops);
  EXPECT_EQ(made.mebibytes, read.mebibytes);
  EXPECT_EQ(made.macs, read.macs);
  EXPECT_EQ(made.weight_mebibytes, read.weight_mebibytes);
  EXPECT_EQ(made.written_mebibytes, read.written_mebibytes);
  EXPECT_EQ(made.input_shapes, read.input_shapes);
  EXPECT_EQ(made.output_shapes, read.output_shapes);
  EXPECT_EQ(made.input_types, read.input_types);
  ASSERT_EQ(made.attributes.size(), read.attributes.size());
  for (const RunAttribute& attribute : made.attributes) {
    const RunAttribute* const same = read.attribute(attribute.name);
    ASSERT_NE(same, nullptr) << attribute.name;
    EXPECT_EQ(attribute.word, same->word);
    EXPECT_EQ(attribute.numbers, same->numbers);
  }
}

class CountedRun : public testing::TestWithParam<const char*> {};

TEST_P(CountedRun, IsWhatAReaderFindsInTheTreeFile) {
  const ModelTree tree = report::count_model(GetParam(), {});
  std::ostringstream line;
  write_tree_line(tree, line);
  const TreeRun read = read_tree_line(line.str(), tree.name, 1);
  const TreeRun made = counted_run(tree);
  EXPECT_EQ(made.model, read.model);
  EXPECT_EQ(made.batch, read.batch);
  EXPECT_EQ(made.sequence, read.sequence);
  EXPECT_EQ(made.vocabulary, read.vocabulary);
  EXPECT_EQ(made.notes, read.notes);
  EXPECT_EQ(made.file, read.file);
  EXPECT_EQ(made.line, read.line);
  ASSERT_EQ(made.nodes.size(), read.nodes.size());
  for (std::size_t i = 0; i < made.nodes.size(); ++i) {
    SCOPED_TRACE(made.nodes[i].id);
    expect_equal(made.nodes[i], read.nodes[i]);
  }
}

INSTANTIATE_TEST_SUITE_P(Zoo, CountedRun,
                         testing::Values("bert-l2-h128", "mixed-blocks", "gpt2", "resnet-18"));

}  // namespace
}  // namespace jouletree
