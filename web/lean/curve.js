// In the place of a module of Plot: the curves that charts of the page have, of the twenty that d3 knows.
import { curveLinear, curveStep, curveStepAfter } from "d3";

const kCurves = { linear: curveLinear, step: curveStep, "step-after": curveStepAfter };

export const curveAuto = (context) => curveLinear(context);

export function maybeCurve(curve = "linear") {
  const known = typeof curve === "function" ? curve : kCurves[curve];
  if (!known) throw new Error(`web/lean/curve.js leaves the curve ${curve} out`);
  return known;
}

export const maybeCurveAuto = (curve = curveAuto) => maybeCurve(curve);
