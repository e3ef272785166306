import { manifestOf, type OperationName } from "@tintype/contract";
import { type ComponentType, Suspense } from "react";
import { lazyPart } from "../../../../lib/load-part.ts";
import { useHasPictures } from "../../work/studio-context.tsx";
import { CompressOptions } from "./compress-options.tsx";
import type { OptionsProps } from "./use-setting.ts";

/** The other tools whose fields are arranged by hand; all that are not here show the fields of their manifest one below the other. */
const arranged: Partial<Record<OperationName, ComponentType<OptionsProps>>> = {
  resize: lazyPart(async () => ({ default: (await import("./resize-options.tsx")).ResizeOptions })),
  upscale: lazyPart(async () => ({ default: (await import("./upscale-options.tsx")).UpscaleOptions })),
  "remove-background": lazyPart(async () => ({
    default: (await import("./remove-background-options.tsx")).RemoveBackgroundOptions,
  })),
  convert: lazyPart(async () => ({ default: (await import("./convert-options.tsx")).ConvertOptions })),
};

const OperationField = lazyPart(async () => ({ default: (await import("./operation-field.tsx")).OperationField }));

/** One tool's options, and what its results keep of the metadata. Those of the first tool are there when the page opens; the others load when their tool is chosen. */
export function ToolOptions({ tool, problemIn }: OptionsProps & { tool: OperationName }) {
  const hasPictures = useHasPictures();
  const metadata = <OperationField tool={tool} name="metadata" problemIn={problemIn} isList />;
  // Outside of the boundary: React brings what stands inside one to life later, and an early keystroke there would be lost.
  if (tool === "compress")
    return (
      <>
        <CompressOptions problemIn={problemIn} />
        <Suspense fallback={null}>{hasPictures && metadata}</Suspense>
      </>
    );
  const Options = arranged[tool];
  return (
    <Suspense fallback={<div className="min-h-48" />}>
      {Options ? (
        <>
          <Options problemIn={problemIn} />
          {metadata}
        </>
      ) : (
        Object.keys(manifestOf(tool).fields).map((name) => (
          <OperationField key={name} tool={tool} name={name} problemIn={problemIn} />
        ))
      )}
    </Suspense>
  );
}
