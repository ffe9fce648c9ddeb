#!/usr/bin/env bash
# jouletree inspect against Python's onnx package (load + infer_shapes) on VGG-16, ViT-B/16 and
# Swin-T, side by side in one run. Prints a table; exit code 1 means that a gate failed.
set -euo pipefail
cd "$(dirname "$0")/.."

log=build/compare_inspect.log
mkdir -p build
if ! { cmake --preset release && cmake --build --preset release --target jouletree; } >"$log" 2>&1; then
  tail -n 40 "$log" >&2
  echo "compare_inspect: the build failed (whole log: $log)" >&2
  exit 1
fi

# Debian's own interpreter: it is the one that sees Debian's onnx package.
python=/usr/bin/python3
if ! "$python" -c 'import onnx' 2>/dev/null; then
  echo "compare_inspect: $python has no onnx package; run scripts/setup.sh" >&2
  exit 3
fi
models=(.deps/models/tv_vgg16.onnx .deps/models/tv_vit_b_16.onnx .deps/models/tv_swin_t.onnx)
for model in "${models[@]}"; do
  if [[ ! -f $model ]]; then
    echo "compare_inspect: $model is missing; run: $python tests/models/export_torchvision.py" >&2
    exit 3
  fi
done

exec "$python" bench/compare_inspect.py build/release/bin/jouletree "${models[@]}"
