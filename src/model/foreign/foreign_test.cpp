#include "model/foreign/foreign.hpp"

#include <zlib.h>

#include <set>

#include <gtest/gtest.h>

#include "jouletree/error.hpp"
#include "jouletree/graph.hpp"
#include "model/foreign/file_kind.hpp"
#include "model/onnx/onnx_builder.hpp"
#include "support/temp_folder.hpp"
#include "support/zip_bytes.hpp"

namespace jouletree::model::foreign {
namespace {

using test::little_endian;
using test::zip_bytes;

/// A field of a protobuf message; shorter than 128 bytes.
std::string field(unsigned tag, const std::string& bytes) {
  std::string key;
  for (unsigned rest = tag << 3U | 2U; rest != 0; rest >>= 7U)
    key += static_cast<char>((rest & 0x7FU) | (rest > 0x7FU ? 0x80U : 0U));
  return key + static_cast<char>(bytes.size()) + bytes;
}

std::string number(unsigned tag, char value) {
  return std::string{static_cast<char>(tag << 3U), value};
}

std::string tensorflow_node(const std::string& name, const std::string& op,
                            const std::string& input = "") {
  return field(1, field(1, name) + field(2, op) + (input.empty() ? "" : field(3, input)));
}

std::string frozen_graph() {
  return tensorflow_node("x", "Placeholder") + tensorflow_node("w", "Const") +
         tensorflow_node("mul", "MatMul", "x") + tensorflow_node("probs", "Softmax", "mul:0");
}

std::string meta_graph() { return field(1, field(5, "2.15.0")) + field(2, frozen_graph()); }

std::string tar_entry(const std::string& name, const std::string& content) {
  std::string header(512, '\0');
  header.replace(0, name.size(), name);
  char size[12] = {};
  std::snprintf(size, sizeof size, "%011zo", content.size());
  header.replace(124, 11, size);
  header[156] = '0';
  header.replace(257, 5, "ustar");
  std::string body = content;
  body.resize((content.size() + 511) / 512 * 512, '\0');
  return header + body;
}

std::string gzip(const std::string& bytes) {
  z_stream stream = {};
  deflateInit2(&stream, 6, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(bytes.size() + 200, '\0');
  std::string input = bytes;
  stream.next_in = reinterpret_cast<Bytef*>(input.data());
  stream.avail_in = static_cast<uInt>(input.size());
  stream.next_out = reinterpret_cast<Bytef*>(packed.data());
  stream.avail_out = static_cast<uInt>(packed.size());
  deflate(&stream, Z_FINISH);
  packed.resize(stream.total_out);
  deflateEnd(&stream);
  return packed;
}

std::string onnx_model() {
  OnnxBuilder model(17);
  model.input("x", DataType::Float32, {1, 4});
  model.initializer("w", DataType::Float32, {4, 4});
  model.node("MatMul", {"x", "w"}, {"y"});
  model.output("y");
  return model.model_bytes();
}

struct Sample {
  std::string kind;
  std::string file;
  std::string bytes;
  std::string says;  ///< A part of the sentence.
};

std::vector<Sample> marked_samples() {
  const std::string header = R"({"w":{"dtype":"F32","shape":[1],"data_offsets":[0,4]}})";
  return {
      {"empty", "m.onnx", "", "empty file"},
      {"git-lfs", "repo/m.onnx",
       "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 102400000\n",
       "a file of 97.7 MiB that was not downloaded; run 'git lfs pull' in repo"},
      {"git-annex", "m.onnx", "/annex/objects/SHA256E-s102--4d7a.onnx\n", "git annex get m.onnx"},
      {"safetensors", "bert/model.safetensors", little_endian(header.size(), 8) + header + "0000",
       "optimum-cli export onnx --model bert onnx_model"},
      {"safetensors", "m.onnx", little_endian(90000, 8) + header, "holds weights but no graph"},
      {"gguf", "llama.gguf", "GGUF" + little_endian(3, 4), "llama.cpp"},
      {"gguf", "ggml-base.bin", "lmgg" + little_endian(51864, 4), "GGML"},
      {"tflite", "m.onnx", little_endian(28, 4) + "TFL3" + std::string(20, '\0'),
       "python -m tf2onnx.convert --tflite m.onnx --output model.onnx"},
      {"ort", "m.ort", little_endian(28, 4) + "ORTM" + std::string(20, '\0'), "(.ort)"},
      {"executorch", "m.pte", little_endian(60, 4) + "ET12eh00" + std::string(20, '\0'),
       "torch.onnx.export"},
      {"torch-mobile", "m.ptl", little_endian(60, 4) + "PTMF" + std::string(20, '\0'),
       "flatbuffer"},
      {"hdf5", "my model.h5", "\x89HDF\r\n\x1A\n" + std::string(20, '\0'),
       "jouletree.inspect('my model.h5') or jouletree.profile('my model.h5')"},
      {"npy", "x.npy", "\x93NUMPY\x01" + std::string(1, '\0') + "v", "--data NAME=x.npy"},
      {"tensorrt", "m.plan", "ftrt" + std::string(20, '\0'), "TensorRT engine"},
      {"tensorrt", "yolo.engine", little_endian(17, 4) + R"({"stride": 32   })" + "ftrt",
       "TensorRT engine"},
      {"ncnn-binary", "m.param.bin", little_endian(7767517, 4) + little_endian(2, 4), "ncnn"},
      {"picture", "cat.onnx", "\x89PNG\r\n\x1A\n", "picture"},
      {"picture", "cat.jpg", "\xFF\xD8\xFF\xE0", "picture"},
      {"picture", "dog.wav", "RIFF" + little_endian(9, 4) + "WAVEfmt ", "a sound"},
      {"program", "chat.llamafile", "MZqFpD='\n\x01\x02", "compiled program"},
      {"safetensors", "half.safetensors", little_endian(5000, 8) + R"({"w":)", "no graph"},
      {"program", "m.so",
       "\x7F"
       "ELF\x02",
       "compiled"},
      {"sqlite", "runs.db", "SQLite format 3" + std::string(1, '\0'), "SQLite"},
      {"tf-checkpoint", "model.ckpt.index",
       std::string(3, '\0') + "conv/w\x08\x01\x57\xFB\x80\x8B\x24\x75\x47\xDB", "tf.saved_model"}};
}

std::vector<Sample> archive_samples() {
  const std::string tar = tar_entry("pack/readme.txt", "hello") + tar_entry("pack/net.onnx", "x");
  return {
      {"scikit-learn", "model.pkl", "\x80\x04\x95 sklearn.ensemble._forest", "skl2onnx.to_onnx"},
      {"ultralytics", "best.pt",
       zip_bytes({{"best/data.pkl", "\x80\x02 cultralytics.nn.tasks\nDetectionModel"}}),
       "yolo export model=best.pt format=onnx"},
      {"checkpoint", "weights.pth", zip_bytes({{"w/data.pkl", "\x80\x02}q"}, {"w/data/0", "1"}}),
       "torch.onnx.export(model, (x,), 'model.onnx')"},
      {"checkpoint", "old.onnx",
       "\x80\x02\x8A\nl\xFC\x9C"
       "F\xF9 j\xA8P\x19.",
       "pickled PyTorch"},
      {"checkpoint", "arrays.pth", "\x80\x04\x95 numpy", "pickled PyTorch"},
      {"pickle", "anything.pkl", "\x80\x04\x95 collections", "a Python pickle"},
      {"zip", "outer.zip", zip_bytes({{"inner.zip", "x"}, {"readme.txt", "x"}}), "give inner.zip"},
      {"pt2", "m.pt2", zip_bytes({{"m/archive_format", "pt2"}, {"m/models/net.json", "{}"}}),
       "torch.onnx.export(torch.export.load('m.pt2'), f='model.onnx', dynamo=True)"},
      {"torchscript", "m.pt", zip_bytes({{"m/data.pkl", "x"}, {"m/code/__torch__.py", "x"}}),
       "which inspect, compare, predict and profile can read"},
      {"old-torchscript", "m.pt", zip_bytes({{"m/model.json", "{}"}, {"m/tensors/0", "x"}}),
       "newer PyTorch"},
      {"mar", "m.mar",
       zip_bytes({{"MAR-INF/MANIFEST.json", "{}"}, {"net.pt", "x"}, {"code/handler.py", "x"}}),
       "unpack it with 'unzip m.mar' and give net.pt"},
      {"keras", "m.keras",
       zip_bytes({{"metadata.json", "{}"}, {"config.json", "{}"}, {"model.weights.h5", "x"}}),
       "jouletree.inspect('m.keras') or jouletree.profile('m.keras')"},
      {"npz", "x.npz", zip_bytes({{"a.npy", "x"}, {"b.npy", "x"}}), "--data x.npz"},
      {"cut-zip", "m.pt", zip_bytes({{"m/data.pkl", std::string(100, 'x')}}).substr(0, 90),
       "download it again"},
      {"zip", "net.zip", zip_bytes({{"a/net.onnx", "x"}, {"a/readme.txt", "x"}}),
       "unpack it with 'unzip net.zip' and give a/net.onnx"},
      {"zip", "two.zip", zip_bytes({{"a.onnx", "x"}, {"b.onnx", "x"}}),
       "give one of a.onnx and b.onnx"},
      {"zip", "code.zip", zip_bytes({{"project/code/train.py", "x"}}),
       "holds project/code/train.py"},
      {"empty-zip", "e.zip", "PK\x05\x06" + std::string(18, '\0'), "empty zip"},
      {"nemo", "asr.nemo",
       tar_entry("model_config.yaml", "x") + tar_entry("model_weights.ckpt", "x"),
       "model.export('model.onnx')"},
      {"tar", "net.tar", tar, "unpack it with 'tar -xf net.tar' and give pack/net.onnx"},
      {"tar", "net.onnx", gzip(tar), "unpack it with 'tar -xzf net.onnx' and give pack/net.onnx"},
      {"packed", "net.onnx.gz", gzip(onnx_model()), "gunzip -k net.onnx.gz"},
      {"packed", "net.onnx", gzip(onnx_model()), "gunzip < net.onnx > unpacked.onnx"},
      {"packed", "net.onnx", "\x28\xB5\x2F\xFD rest", "unzstd < net.onnx > unpacked.onnx"},
      {"packed", "net.tar.zst", "\x28\xB5\x2F\xFD rest", "tar -xf net.tar.zst"},
      {"packed", "net.onnx.xz",
       std::string("\xFD"
                   "7zXZ\0",
                   6),
       "unxz -k net.onnx.xz"}};
}

std::vector<Sample> text_samples() {
  return {
      {"html", "m.onnx", "\xEF\xBB\xBF\n <!DOCTYPE html><html lang=\"en\">", "'resolve'"},
      {"html", "m.onnx", "<HTML><head><title>404</title>", "a web page"},
      {"html", "m.onnx", "<!-- saved -->\n<html lang='en'>", "a web page"},
      {"pmml", "m.pmml", "<?xml version=\"1.0\"?>\n<PMML version=\"4.4\">", "PMML"},
      {"storage-error", "m.onnx",
       "<?xml version=\"1.0\"?>\n<Error><Code>AccessDenied</Code></Error>", "web store"},
      {"openvino", "m.xml", "<?xml version=\"1.0\"?>\n<net name=\"m\" version=\"11\">\n<layers>",
       "OpenVINO"},
      {"xml", "m.xml", "<?xml version=\"1.0\"?><letter/>", "an XML file"},
      {"ncnn", "m.param", "7767517\n75 83\nInput data 0 1 data\n", "ncnn"},
      {"onnx-text", "m.onnxtxt", "<\n  ir_version: 8,\n  opset_import: [\"\" : 17]\n>\nagraph",
       "onnx.save(onnx.load('m.onnxtxt'), 'model.onnx')"},
      {"onnx-text", "m.textproto", "ir_version: 8\nproducer_name: \"pytorch\"\ngraph {",
       "written as text"},
      {"jouletree", "tree.jsonl", R"({"model_name": "bert", "frontend_tree": {}})",
       "JouleTree wrote"},
      {"jouletree", "p.json", R"({"format": "jouletree predictor", "version": 3})",
       "JouleTree wrote"},
      {"tfjs", "web/model.json", R"({"format": "layers-model", "modelTopology": {}})",
       "--tfjs web/model.json"},
      {"hugging-face", "bert/config.json", R"({"architectures": ["Bert"], "model_type": "bert"})",
       "optimum-cli export onnx --model bert onnx_model"},
      {"hugging-face", "model.safetensors.index.json", R"({"weight_map": {"a": "b"}})",
       "--model . onnx_model"},
      {"json", "x.json", R"({"error": "not found"})", R"(begins with "{"error": "not found"}")"},
      {"tokenizer", "bert/tokenizer.json", R"({"version": "1.0"})", "not a model"},
      {"paddle-json", "ppocr/inference.json", R"({"base_code": {"magic": "pir"}})",
       "--model_dir ppocr --model_filename inference.json"},
      {"adapter", "lora/adapter_config.json", R"({"peft_type": "LORA"})", "merge_and_unload"},
      {"boosted-trees", "m.json", R"({"learner": {"attributes": {}}})", "XGBoost"},
      {"boosted-trees", "m.txt", "tree\nversion=v4\n", "LightGBM"},
      {"tensorflow-text", "graph.pbtxt", "node {\n  name: \"x\"\n  op: \"Placeholder\"\n}\n",
       "tf.saved_model"},
      {"tensorflow-text", "checkpoint", "model_checkpoint_path: \"m.ckpt-1\"\n", "tf2onnx"},
      {"darknet", "yolo.cfg", "# comment\n[net]\nbatch=1\n[convolutional]\n", "Darknet"},
      {"darknet-weights", "yolo.weights",
       little_endian(0, 4) + little_endian(2, 4) + little_endian(5, 4) + little_endian(1, 8),
       "with their .cfg"},
      {"caffe", "net.prototxt", "name: \"AlexNet\"\nlayer {\n  name: \"data\"\n", "Caffe"},
      {"python", "net.py", "import torch\n", "Python code"},
      {"text", "m.onnx", "Access to this model is restricted.\nSee …",
       "\"Access to this model is restricted.\""}};
}

std::vector<Sample> message_samples() {
  return {
      {"saved-model", "sm/saved_model.pb", number(1, 1) + field(2, meta_graph()),
       "python -m tf2onnx.convert --saved-model sm --output model.onnx"},
      {"frozen-graph", "frozen.pb", frozen_graph(),
       "--graphdef frozen.pb --inputs x:0 --outputs probs:0 --output model.onnx"},
      {"meta-graph", "model.ckpt.meta", meta_graph(), "--checkpoint model.ckpt.meta"},
      {"paddle", "ppocr/inference.pdmodel",
       field(1, number(1, 0) + "\x10" + std::string(9, '\xFF') + "\x01" + field(3, "x")),
       "paddle2onnx --model_dir ppocr --model_filename inference.pdmodel --params_filename "
       "inference.pdiparams --save_file model.onnx"},
      {"core-ml", "m.mlmodel", number(1, 7) + field(2, field(100, "d")) + field(502, "p"),
       "Core ML"},
      {"onnx-tensor", "input_0.pb",
       number(1, 1) + number(1, 3) + number(2, 1) + field(8, "x") + field(9, "0123"),
       "--data NAME=input_0.pb"},
      {"cut-onnx", "m.onnx", onnx_model().substr(0, 100), "download or export it again"},
      {"sentence-pieces", "spiece.model",
       field(1, field(1, "<unk>") + "\x15" + std::string(4, '\0')) + field(1, field(1, "a")),
       "SentencePiece"},
      {"caffe-model", "net.caffemodel", field(1, "AlexNet") + field(100, "layer"), "Caffe model"},
      {"zeros", "m.onnx", std::string(5000, '\0'), "unfinished downloads"},
      {"tensorflow-weights", "variables.data-00000-of-00001", "\x01\x02\xFE\xFF", "tf2onnx"},
      {"flax", "bert/flax_model.msgpack", "\x82\xA6params\x81\xF0\x01", "from_flax=True"},
      {"joblib", "forest.joblib", "x\x9C\x01\x02\xFE\xFF", "skl2onnx"},
      {"boosted-trees-binary", "m.cbm", "CBM1\x01\xFE", "CatBoost"},
      {"device", "m.rknn", "RKNN\x01\xFE", "for Rockchip's RKNN"}};
}

std::vector<Sample> all_samples() {
  std::vector<Sample> all;
  for (const auto& part : {marked_samples(), archive_samples(), text_samples(), message_samples()})
    all.insert(all.end(), part.begin(), part.end());
  return all;
}

TEST(ForeignFile, IsToldByItsContent) {
  for (const Sample& sample : all_samples()) {
    const SeenFile file(sample.file, sample.bytes);
    const FileKind* kind = kind_of(file);
    ASSERT_NE(kind, nullptr) << sample.kind;
    EXPECT_EQ(kind->name, sample.kind) << sample.file;
    const std::string text = sentence(*kind, file);
    EXPECT_NE(text.find(sample.says), std::string::npos) << text;
  }
}

TEST(ForeignFile, OfEveryKindHasASampleHereOrBelow) {
  std::set<std::string, std::less<>> seen = {"hugging-face-checkpoint", "openvino-weights",
                                             "ncnn-weights", "onnx-weights", "tfjs-weights"};
  for (const Sample& sample : all_samples()) seen.insert(sample.kind);
  for (const auto part :
       {marked_kinds(), archive_kinds(), text_kinds(), message_kinds(), last_kinds()})
    for (const FileKind& kind : part) EXPECT_TRUE(seen.contains(kind.name)) << kind.name;
}

TEST(ForeignFile, NeverCrashesWhereverItIsCut) {
  for (const Sample& sample : all_samples()) {
    for (std::size_t size = 0; size < std::min<std::size_t>(sample.bytes.size(), 2000); ++size) {
      EXPECT_FALSE(
          describe_file(sample.file, std::string_view(sample.bytes).substr(0, size)).empty());
    }
  }
}

TEST(ForeignFile, IsRefusedByTheReaderWithTheSentence) {
  for (const Sample& sample : all_samples()) {
    try {
      (void)read_onnx(sample.bytes, sample.file);
      FAIL() << sample.kind;
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::BadInput);
      EXPECT_EQ(error.what(), sample.file + ": " + describe_file(sample.file, sample.bytes));
    }
  }
}

TEST(ForeignFile, BesideAnotherMayBeItsWeights) {
  const test::TempFolder folder;
  folder.write("ir.xml", "<net name=\"x\"><layers>");
  folder.write("net.param", "7767517\n");
  folder.write("config.json", "{}");
  const std::string noise = "\x01\x02\xFE\xFF";
  const auto name_of = [&](const char* file, const std::string& bytes) {
    const FileKind* kind = kind_of(SeenFile(folder.path() / file, bytes));
    return kind == nullptr ? "" : std::string(kind->name);
  };
  EXPECT_EQ(name_of("ir.bin", noise), "openvino-weights");
  EXPECT_EQ(name_of("net.bin", noise), "ncnn-weights");
  EXPECT_EQ(name_of("other.bin", noise), "");
  folder.write("net.onnx", "x");
  EXPECT_EQ(name_of("net.onnx.data", noise), "onnx-weights");
  EXPECT_EQ(name_of("net.onnx_data", std::string(64, '\0')), "onnx-weights");
  EXPECT_EQ(name_of("lost.onnx.data", noise), "");
  EXPECT_NE(describe_file(folder.path() / "net.onnx_data", noise).find("/net.onnx"),
            std::string::npos);
  folder.write("model.json", "{}");
  EXPECT_EQ(name_of("group1-shard1of1.bin", noise), "tfjs-weights");
  EXPECT_EQ(name_of("pytorch_model.bin", zip_bytes({{"a/data.pkl", "x"}})),
            "hugging-face-checkpoint");
}

TEST(ForeignFile, ThatNobodyKnowsIsToldHonestly) {
  EXPECT_NE(
      describe_file("m.onnx", "\x01\x02\xFE\xFF").find("JouleTree does not know this kind of file"),
      std::string::npos);
}

TEST(ForeignFolder, NamesTheModelsInIt) {
  const test::TempFolder folder;
  folder.write("config.json", "{}");
  folder.write("onnx/encoder.onnx", "x");
  const std::string root = folder.path().string();
  EXPECT_EQ(describe_folder(folder.path()),
            "this is a folder; give the model in it: " + root + "/onnx/encoder.onnx");
  folder.write("onnx/decoder.onnx", "x");
  EXPECT_EQ(describe_folder(folder.path()),
            "this is a folder; give one of the models in it: " + root + "/onnx/decoder.onnx and " +
                root + "/onnx/encoder.onnx");
}

TEST(ForeignFolder, NamesItsOwnModelsBeforeThoseFurtherDown) {
  const test::TempFolder folder;
  for (const char* name : {"a/1.onnx", "a/2.onnx", "a/b/3.onnx", "a/4.onnx", "z.onnx", "y.onnx"})
    folder.write(name, "x");
  const std::string root = folder.path().string();
  EXPECT_EQ(describe_folder(folder.path()),
            "this is a folder; give one of the models in it: " + root + "/y.onnx, " + root +
                "/z.onnx, " + root + "/a/1.onnx, " + root + "/a/2.onnx and 2 more");
}

TEST(ForeignFolder, NamesAllKindsOfModelsInIt) {
  const test::TempFolder folder;
  for (const char* name : {"a.onnx", "b.pt2", "c.pt"}) folder.write(name, "x");
  const std::string root = folder.path().string();
  EXPECT_EQ(describe_folder(folder.path()),
            "this is a folder; give one of the models in it: " + root + "/a.onnx, " + root +
                "/b.pt2 and " + root + "/c.pt");
  const test::TempFolder foreign;
  for (const char* name : {"a.keras", "b.h5"}) foreign.write(name, "x");
  EXPECT_NE(
      describe_folder(foreign.path()).find("; it also has " + foreign.path().string() + "/b.h5"),
      std::string::npos);
}

TEST(ForeignFolder, IsToldByWhatItHolds) {
  const std::vector<std::pair<std::string, std::string>> kinds = {
      {"saved_model.pb", "--saved-model"},
      {"profile.json", "jouletree show"},
      {"power_metrics.json", "jouletree show"},
      {"Data/com.apple.CoreML/model.mlmodel", "Core ML package"},
      {"coremldata.bin", "compiled Core ML"},
      {"config.json", "optimum-cli export onnx --model"},
      {"ir.xml", "OpenVINO"},
      {"inference.pdmodel", "paddle2onnx"},
      {"model.ckpt.meta", "tf.saved_model.save"},
      {"rank0.engine", "TensorRT"},
      {"adapter_config.json", "merge_and_unload"},
      {"model.weights.h5", "Keras"},
      {"pytorch_model.bin.index.json", "without its config.json"},
      {"model.json", "--tfjs"},
      {"net.param", "ncnn"},
      {"inference.pdiparams", "--model_filename inference.json"},
      {"net.pt", "net.pt"},
      {"lost/model.bin", "model.bin in it: this is a text file"},
      {"notes.txt", "without a model"}};
  for (const auto& [file, says] : kinds) {
    const test::TempFolder folder;
    folder.write(file, "x");
    const std::string text = describe_folder(folder.path());
    EXPECT_NE(text.find(says), std::string::npos) << text;
  }
  const test::TempFolder empty;
  EXPECT_EQ(describe_folder(empty.path()), "this is an empty folder; give a model file");
}

TEST(ShellWord, IsQuotedWhereItMustBe) {
  EXPECT_EQ(shell_word("a/b-1.onnx"), "a/b-1.onnx");
  EXPECT_EQ(shell_word("my model.h5"), "'my model.h5'");
  EXPECT_EQ(shell_word("it's"), "'it'\\''s'");
  EXPECT_EQ(shell_word(""), "''");
}

}  // namespace
}  // namespace jouletree::model::foreign
