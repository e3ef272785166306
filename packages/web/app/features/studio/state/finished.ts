import type { OperationName } from "@tintype/contract";
import type { Picture, Result } from "./picture.ts";
import type { StudioState } from "./studio-state.ts";

/** The pictures that have a result, with it and the tool that made it. */
export const finishedOf = ({
  pictures,
  run,
  tool,
}: Pick<StudioState, "pictures" | "run" | "tool">): ReadonlyArray<{
  picture: Picture;
  result: Result;
  tool: OperationName;
}> =>
  pictures.flatMap((picture) =>
    picture.outcome.kind === "done" ? [{ picture, result: picture.outcome.result, tool: run?.tool ?? tool }] : [],
  );
