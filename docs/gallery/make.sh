#!/usr/bin/env bash
# Makes the studies and the pictures of docs/gallery.md again: about a quarter of an hour on an idle machine.
#   docs/gallery/make.sh PROGRAM [FOLDER]   the studies go to FOLDER (build/gallery) and are kept; a study that is there goes on
set -euo pipefail
program=$(realpath "${1:?usage: docs/gallery/make.sh PROGRAM [FOLDER]}")
cd "$(dirname "$0")/../.."
studies=${2:-build/gallery}
mkdir -p "$studies"

runs=(--runs 5 --seconds 3 --warm-up 0.5s --cool-down 0.5s --baseline 1s)
"$program" sweep resnet-18 --vary 'input=1x3x{64:448:32}x{=}' "${runs[@]}" -o "$studies/resnet"
"$program" sweep bert-l4-h512 --dim sequence=50:500:50 --dim batch=1 "${runs[@]}" -o "$studies/bert"
"$program" profile bert-base-uncased --dim batch=1 --dim sequence=128 --budget 60s -q --replace -o "$studies/profile"

for result in resnet bert profile; do
  "$program" report "$studies/$result" -o "$studies/$result.html"
done
node docs/gallery/pictures.mjs "$studies" docs/gallery
