import type { OperationName } from "@tintype/contract";
import { type ComponentType, Suspense } from "react";
import { lazyChunk } from "../../../../lib/load-chunk.ts";
import { useHasPictures } from "../../work/studio-context.tsx";
import { CompressOptions } from "./compress-options.tsx";
import type { OptionsProps } from "./use-setting.ts";

/** The tools besides compress with a custom layout. All others list the fields of their manifest. */
const arranged: Partial<Record<OperationName, ComponentType<OptionsProps>>> = {
  resize: lazyChunk(async () => ({ default: (await import("./resize-options.tsx")).ResizeOptions })),
  upscale: lazyChunk(async () => ({ default: (await import("./upscale-options.tsx")).UpscaleOptions })),
  "remove-background": lazyChunk(async () => ({
    default: (await import("./remove-background-options.tsx")).RemoveBackgroundOptions,
  })),
  convert: lazyChunk(async () => ({ default: (await import("./convert-options.tsx")).ConvertOptions })),
  watermark: lazyChunk(async () => ({ default: (await import("./watermark-options.tsx")).WatermarkOptions })),
};

const SharedFields = lazyChunk(async () => ({ default: (await import("./shared-fields.tsx")).SharedFields }));
const OtherFields = lazyChunk(async () => ({ default: (await import("./shared-fields.tsx")).OtherFields }));

/** A tool's options and the shared ones. The default tool's are in the page's bundle; the others load when their tool is selected. */
export function ToolOptions({ tool, problemIn }: OptionsProps & { tool: OperationName }) {
  const hasPictures = useHasPictures();
  const shared = <SharedFields tool={tool} problemIn={problemIn} />;
  // Outside the Suspense boundary: React hydrates its content later, and early keystrokes there would be lost.
  if (tool === "compress")
    return (
      <>
        <CompressOptions problemIn={problemIn} />
        <Suspense fallback={null}>{hasPictures && shared}</Suspense>
      </>
    );
  const Options = arranged[tool];
  return (
    <Suspense fallback={<div className="min-h-48" />}>
      {Options ? <Options problemIn={problemIn} /> : <OtherFields tool={tool} problemIn={problemIn} />}
      {shared}
    </Suspense>
  );
}
