import { formFields } from "../state/form-fields.ts";
import { type Frame, hasFrame, stepsOf } from "../state/frame.ts";
import type { ToolSettings } from "../state/settings.ts";
import { writeStep } from "../state/steps.ts";
import { type OneProgress, type OneResult, runOne } from "./run-one.ts";
import type { StudioParts } from "./studio-parts.ts";

export type WebSets = {
  /**
   * Makes a web set of a picture after its crop and rotation. An abort ends the job and refunds its credit.
   * @throws the signal's abort reason
   */
  makeWebSet(
    source: { file: File; frame: Frame | undefined; settings: ToolSettings },
    options: { signal: AbortSignal; onProgress(now: OneProgress): void },
  ): Promise<OneResult>;
};

export const createWebSets = ({ api }: Pick<StudioParts, "api">): WebSets => ({
  makeWebSet({ file, frame, settings }, options) {
    const request = hasFrame(frame)
      ? {
          path: "/recipes/run/",
          fields: { recipe: JSON.stringify({ steps: [...stepsOf(frame), writeStep("web-set", settings)] }) },
        }
      : { path: "/web-set/", fields: formFields("web-set", settings) };
    return runOne({ api, file, ...request }, options);
  },
});
