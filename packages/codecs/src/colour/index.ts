export {
  type CodePoints,
  isHighRange,
  otherCurve,
  otherPrimaries,
  type Primaries,
  type ToneCurve,
} from "./code-points.ts";
export { describeColours, isRgbProfile, profileOf } from "./profile.ts";
export { fromLight, toLight } from "./srgb.ts";
