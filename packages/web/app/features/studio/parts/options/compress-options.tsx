import type { InputFormat } from "@tintype/contract";
import { Suspense } from "react";
import { lazyChunk } from "../../../../lib/load-chunk.ts";
import { useHasPictures, useStudioState } from "../../work/studio-context.tsx";
import { QualityField } from "./quality-field.tsx";
import { type OptionsProps, useIsForOnePicture, useSetting } from "./use-setting.ts";

const AimChoice = lazyChunk(async () => ({ default: (await import("./aim-field.tsx")).AimChoice }));
const SizeField = lazyChunk(async () => ({ default: (await import("./aim-field.tsx")).SizeField }));
const UnwrittenNote = lazyChunk(async () => ({ default: (await import("./unwritten-note.tsx")).UnwrittenNote }));

/** Formats that can be read but not written. Compress turns a HEIC into an AVIF and refuses the others. */
const unwritten: readonly (InputFormat | undefined)[] = ["heic", "jxl", "psd", "jp2", "pdf"];

export function CompressOptions({ problemIn }: OptionsProps) {
  const [{ aim = "quality" }] = useSetting("compress");
  const hasPictures = useHasPictures();
  const isForOnePicture = useIsForOnePicture();
  const found = useStudioState(({ pictures }) => pictures.find(({ format }) => unwritten.includes(format))?.format);
  return (
    <>
      {found && !isForOnePicture && (
        <Suspense fallback={null}>
          <UnwrittenNote format={found} />
        </Suspense>
      )}
      <Suspense fallback={null}>{hasPictures && <AimChoice tool="compress" />}</Suspense>
      {aim === "size" ? (
        <Suspense fallback={<div className="min-h-48" />}>
          <SizeField tool="compress" problemIn={problemIn} />
        </Suspense>
      ) : (
        <QualityField tool="compress" problemIn={problemIn} />
      )}
      <p className="text-sm text-muted">
        {aim === "size"
          ? "The best quality that fits. Results are never larger than the original."
          : "100 is lossless if the format allows it. The same number looks the same in every format. Results are never larger than the original."}
      </p>
    </>
  );
}
