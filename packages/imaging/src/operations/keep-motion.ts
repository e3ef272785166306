import { readFile } from "node:fs/promises";
import { smallestJpeg } from "@tintype/codecs/jpeg";
import { directoryOf, type Motion } from "../formats/jpeg/container-directory.ts";
import { readMotion, withMotion } from "../formats/jpeg/motion.ts";
import { optionOf } from "../metadata/choice.ts";
import type { Outcome } from "../task.ts";
import type { OpenedTask } from "./operation.ts";

/** A source's video (motion photo), and the most bytes that it and its XMP directory take. */
export type MotionPlan = { motion: Motion; reservedBytes: number };

/** The video of a result. `besideMapBytes`: its size in a file whose gain map already has a directory. */
export type KeptMotion = { motion: Motion; addedBytes: number; besideMapBytes: number };

/**
 * The video that the result of compress keeps. Undefined if it was not requested, or the source is not a JPEG with one.
 */
export async function planMotion({ name, options, input, standsFor }: OpenedTask): Promise<MotionPlan | undefined> {
  if (name !== "compress" || optionOf(options, "keep_film") !== true || standsFor !== undefined) return undefined;
  const motion = input.format === "jpeg" ? readMotion(await input.bytes()) : undefined;
  const alone = motion && withMotion(smallestJpeg, motion);
  return motion && alone ? { motion, reservedBytes: alone.length - smallestJpeg.length } : undefined;
}

/** The video, if the result can hold it: a JPEG, as encoded, with room for it within `maxBytes`. */
export async function motionFor(
  { result }: Outcome,
  { outputPath }: OpenedTask,
  { plan, maxBytes }: { plan: MotionPlan | undefined; maxBytes: number },
): Promise<KeptMotion | undefined> {
  if (!plan || result.format !== "jpeg") return undefined;
  const { motion } = plan;
  const written = await readFile(outputPath);
  const whole = withMotion(written, motion);
  if (!whole || whole.length > maxBytes) return undefined;
  const lineBytes = directoryOf({ mapBytes: 1, motion }).length - directoryOf({ mapBytes: 1 }).length;
  return { motion, addedBytes: whole.length - written.length, besideMapBytes: motion.bytes.length + lineBytes };
}
