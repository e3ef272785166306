import type { TaskName } from "@tintype/contract";

/** The sentence with which an operation refuses a moving picture. */
export const stillOnly = {
  upscale: "Moving pictures cannot be upscaled. Please send a single frame.",
  "remove-background": "The background of moving pictures cannot be removed. Please send a still picture.",
  "web-set": "Moving pictures cannot become a web set. Please send a still picture.",
  crop: "Moving pictures cannot be cropped. Please send a still picture.",
  turn: "Moving pictures cannot be turned. Please send a still picture.",
} as const satisfies Partial<Record<TaskName, string>> as Partial<Record<TaskName, string>>;
