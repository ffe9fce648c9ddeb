#!/usr/bin/env bash
# Predicts the latency of real models on this machine from profiles of other models: builds zoo models in many sizes, profiles
# them with ONNX Runtime on one thread, trains on those profiles from specs alone, and holds the predictions for real models
# that were in no training data against their measured latency. Needs ONNX Runtime (scripts/setup.sh) and a quiet machine.
#
# usage: bench/predict_here.sh MODELS [WORK]
#   MODELS  folder with real models, as tests/models/prepare.sh makes it
#   WORK    folder for what is built and measured (default: build/predict_here); profiles that are there are kept
#
# JOULETREE  the program (default: build/release/bin/jouletree, else build/dev/bin/jouletree)
# BUDGET     seconds of measuring per training model (default: 12)
# WHOLE      options with which profile measures little more than the whole model (default: --target 1 --baseline 0 --budget 4)
# TRAINING   regular expression of training models to use (default: all)
# TESTED     regular expression of real models to predict (default: all)
# LIMIT      exit 1 if the median absolute error in per cent is above this (default: 15)
set -euo pipefail
cd "$(dirname "$0")/.."
models=${1:?give the folder with real models, see tests/models/prepare.sh}
work=${2:-build/predict_here}
if [[ -z ${JOULETREE:-} ]]; then
  JOULETREE=build/release/bin/jouletree
  [[ -x $JOULETREE ]] || JOULETREE=build/dev/bin/jouletree
fi
budget=${BUDGET:-12}
read -r -a whole <<< "${WHOLE:---target 1 --baseline 0 --budget 4}"
mkdir -p "$work/profiles" "$work/measured" "$work/predicted"

# name|architecture|settings|dimensions. No published model is here in the size that it was published in.
training='
mixed_w16_k3|mixed-blocks|width=16 kernel=3 expansion=4 groups=4 size=160|batch=1
mixed_w24_k5|mixed-blocks|width=24 kernel=5 expansion=6 groups=3 size=112|batch=1
mixed_w32_k7|mixed-blocks|width=32 kernel=7 expansion=2 groups=2 size=96|batch=1
mixed_w40_k3|mixed-blocks|width=40 kernel=3 expansion=6 groups=5 size=80|batch=1
mixed_w48_k5|mixed-blocks|width=48 kernel=5 expansion=3 groups=3 size=128|batch=1
mixed_w64_k3|mixed-blocks|width=64 kernel=3 expansion=4 groups=4 size=112|batch=1
mixed_w88_k3|mixed-blocks|width=88 kernel=3 expansion=4 groups=11 size=56|batch=1
mixed_w96_k5|mixed-blocks|width=96 kernel=5 expansion=3 groups=6 size=56|batch=2
mixed_w128_k3|mixed-blocks|width=128 kernel=3 expansion=2 groups=8 size=64|batch=1
mixed_w30_k3|mixed-blocks|width=30 kernel=3 expansion=5 groups=5 size=96|batch=1
mixed_w58_k3|mixed-blocks|width=58 kernel=3 expansion=2 groups=2 size=112|batch=1
mixed_w192_k3|mixed-blocks|width=192 kernel=3 expansion=2 groups=12 size=32|batch=1
mixed_w12_k3|mixed-blocks|width=12 kernel=3 expansion=4 groups=3 size=288|batch=1
mixed_w256_k1|mixed-blocks|width=256 kernel=1 expansion=2 groups=16 size=28|batch=1
resnet_a|resnet-18|width=48 size=192|batch=1
resnet_b|resnet-18|width=96 size=128|batch=1
resnet_c|resnet-50|width=32 size=160|batch=1
resnet_d|resnet-50|width=80 size=96 blocks3=3|batch=2
vgg_a|vgg-11|width=24 hidden=512 size=224|batch=1
vgg_b|vgg-16|width=32 hidden=1024 size=224|batch=1
mixed_w64_k11|mixed-blocks|width=64 kernel=11 expansion=1 groups=4 size=64|batch=1
mobilenet_a|mobilenet-v2|size=160|batch=1
mobilenet_b|mobilenet-v2|size=96|batch=4
bert_a|bert-l2-h128|vocabulary=2000 layers=2 width=64 heads=2 hidden=256|batch=1 sequence=48
bert_b|bert-l2-h128|vocabulary=2000 layers=2 width=128 heads=4 hidden=512|batch=1 sequence=16
bert_c|bert-l2-h128|vocabulary=2000 layers=1 width=192 heads=3 hidden=768|batch=1 sequence=256
bert_d|bert-l2-h128|vocabulary=2000 layers=1 width=320 heads=5 hidden=1280|batch=2 sequence=96
bert_e|bert-l2-h128|vocabulary=2000 layers=1 width=448 heads=7 hidden=1792|batch=1 sequence=24
bert_f|bert-l2-h128|vocabulary=2000 layers=1 width=640 heads=10 hidden=2560|batch=1 sequence=160
bert_g|bert-l2-h128|vocabulary=2000 layers=1 width=896 heads=14 hidden=3584|batch=1 sequence=48
bert_h|bert-l2-h128|vocabulary=2000 layers=1 width=1024 heads=16 hidden=4096|batch=1 sequence=100
bert_i|bert-l2-h128|vocabulary=2000 layers=1 width=256 heads=8 hidden=1024|batch=1 sequence=384
gpt_a|gpt2|vocabulary=2000 layers=1 width=640 heads=10 hidden=2560|batch=1 sequence=40
gpt_b|gpt2|vocabulary=2000 layers=2 width=256 heads=4 hidden=1024|batch=1 sequence=200
gpt_c|gpt2|vocabulary=2000 layers=1 width=960 heads=15 hidden=3840|batch=1 sequence=20
t5_a|t5-small-encoder|vocabulary=2000 layers=1 width=384 heads=6 hidden=1536|batch=1 sequence=80
t5_b|t5-small-encoder|vocabulary=2000 layers=1 width=640 heads=10 hidden=2560|batch=1 sequence=32
distilbert_a|distilbert-base-uncased|vocabulary=2000 layers=1 width=576 heads=9 hidden=2304|batch=1 sequence=72
albert_a|albert-base-v2|vocabulary=2000 layers=1 width=832 heads=13 hidden=3328|batch=1 sequence=56
'
# file|dimensions
tested='
tv_alexnet|
tv_vgg16|
tv_resnet18|
tv_resnet50|
tv_mobilenet_v2|
tv_mobilenet_v3_small|
tv_efficientnet_b0|
tv_mnasnet1_0|
tv_squeezenet1_1|
tv_shufflenet_v2_x1_0|
tv_googlenet|
tv_inception_v3|
tv_densenet121|
tv_regnet_y_400mf|
tv_convnext_tiny|
tv_vit_b_16|
tv_swin_t|
npm_minilm|batch_size=1 sequence_length=128
pt_bert_tiny|batch=1 sequence=64
pt_bert_base|batch=1 sequence=64
pt_gpt2|batch=1 sequence=32
pt_t5_small_encoder|batch=1 sequence=64
'

# Prints a flag before each word of a list.
flags() {
  local flag=$1 word
  for word in $2; do printf '%s\n%s\n' "$flag" "$word"; done
}

profile_training_models() {
  local name architecture settings dims
  while IFS='|' read -r name architecture settings dims; do
    [[ -n $name && $name =~ ${TRAINING:-.} ]] || continue
    [[ -f $work/profiles/$name/tree.jsonl ]] && continue
    echo "profiling $name ($architecture, $settings, $dims)" >&2
    mapfile -t set_flags < <(flags --set "$settings")
    mapfile -t dim_flags < <(flags --dim "$dims")
    "$JOULETREE" zoo build "$architecture" "${set_flags[@]}" --replace -o "$work/$name.onnx" > "$work/$name.log"
    "$JOULETREE" profile "$work/$name.onnx" "${dim_flags[@]}" --threads 1 --baseline 0 --no-modules --budget "$budget" -o "$work/profiles/$name" \
      >> "$work/$name.log"
    rm -f "$work/$name.onnx" "$work/$name.onnx.data"
  done <<< "$training"
}

train() {
  local name
  : > "$work/training.jsonl"
  while IFS='|' read -r name _; do
    [[ -n $name && $name =~ ${TRAINING:-.} ]] && cat "$work/profiles/$name/tree.jsonl" >> "$work/training.jsonl"
  done <<< "$training"
  "$JOULETREE" train "$work/training.jsonl" --features specs -o "$work/here.json" >&2
}

# The prediction comes first: nothing of the measurement can enter it.
predict_and_measure() {
  local name dims
  while IFS='|' read -r name dims; do
    [[ -n $name && $name =~ ${TESTED:-.} ]] || continue
    [[ -f $models/$name.onnx ]] || { echo "not tested: $models/$name.onnx is missing" >&2; continue; }
    mapfile -t dim_flags < <(flags --dim "$dims")
    "$JOULETREE" predict "$work/here.json" "$models/$name.onnx" "${dim_flags[@]}" --format json \
      > "$work/predicted/$name.json" 2> "$work/predicted/$name.log"
    [[ -f $work/measured/$name/profile.json ]] ||
      "$JOULETREE" profile "$models/$name.onnx" "${dim_flags[@]}" --threads 1 "${whole[@]}" -o "$work/measured/$name" > /dev/null
    echo "$name"
  done <<< "$tested"
}

table() {
  python3 - "$work" "${LIMIT:-15}" "$@" << 'PY'
import json, statistics, sys

work, limit = sys.argv[1], float(sys.argv[2])
rows = []
for name in sys.argv[3:]:
    predicted = json.load(open(f"{work}/predicted/{name}.json"))["runs"][0]["metrics"]["time_s"]
    measured = json.load(open(f"{work}/measured/{name}/profile.json"))["metrics"]["time_s"]["value"]
    if predicted["value"] is None:
        sys.exit(f"{name}: nothing was predicted")
    rows.append((name, predicted, measured, 100 * (predicted["value"] / measured - 1)))
if not rows:
    sys.exit("no model was tested")
print("| model | predicted ms | 90 % interval | measured ms | error % |\n|---|---|---|---|---|")
for name, predicted, measured, error in rows:
    interval = "–"
    if "low" in predicted:
        interval = f"{predicted['low'] * 1e3:.3g} to {predicted['high'] * 1e3:.3g}"
    print(f"| {name} | {predicted['value'] * 1e3:.3g} | {interval} | {measured * 1e3:.3g} | {error:+.1f} |")
median = statistics.median(abs(error) for *_, error in rows)
held = sum("low" in p and p["low"] <= m <= p["high"] for _, p, m, _ in rows)
print(f"\nmedian absolute error {median:.1f} %; {held} of {len(rows)} in their intervals")
sys.exit(1 if median > limit else 0)
PY
}

profile_training_models
train
predict_and_measure > "$work/tested.txt"
mapfile -t names < "$work/tested.txt"
table "${names[@]}"
