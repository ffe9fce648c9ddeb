// node make_sample.mjs PAGE OUT [SAMPLE]: writes a page with made-up data, to look at.
import { readFileSync, writeFileSync } from "node:fs";
import * as sample from "./sample_data.mjs";

const samples = {
  all: () => {
    const profiles = [sample.profile(sample.resnet()), sample.profile(sample.resnet(), { seed: 9, label: "resnet-18 (tuned)" }), sample.profile(sample.bert(), { training: true })];
    return sample.page([...profiles, sample.recording(), sample.sweep(), sample.crossvalidation()], { problems: ["profiles/half: profile.json ends in the middle of a line; measure again."], comparison: sample.comparison(profiles) });
  },
  large: () => sample.page([sample.profile(sample.large())]),
  hostile: () => sample.page([sample.profile(sample.hostile())], { problems: sample.kHostile }),
};
const [, , template, out, name = "all"] = process.argv;
writeFileSync(out, sample.embedded(readFileSync(template, "utf8"), samples[name]()));
