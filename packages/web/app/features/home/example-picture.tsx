import { BeforeAfter } from "../../ui/before-after.tsx";
import type { Example } from "./examples.server.ts";

/** A tool's result on one of our own samples, before and after. */
export function ExamplePicture({ example }: { example: Example }) {
  const { tool, before, after, isEnlarged, widthPx, heightPx } = example;
  return (
    <BeforeAfter
      label={`${tool}: before and after`}
      {...{ before, after, widthPx, heightPx }}
      {...(isEnlarged && { imageClassName: "[image-rendering:pixelated]" })}
    />
  );
}
