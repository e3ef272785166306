import { Suspense } from "react";
import { lazyPart } from "../../../lib/lazy-part.ts";
import { useStudioState } from "../studio-context.tsx";
import { QualityField } from "./quality-field.tsx";
import { type OptionsProps, useIsOwn, useSetting } from "./use-setting.ts";

const AimChoice = lazyPart(async () => ({ default: (await import("./other-options.ts")).AimChoice }));
const SizeField = lazyPart(async () => ({ default: (await import("./other-options.ts")).SizeField }));
const HeicNote = lazyPart(async () => ({ default: (await import("./other-options.ts")).HeicNote }));

export function CompressOptions({ problemIn }: OptionsProps) {
  const [{ aim = "quality" }] = useSetting("compress");
  const hasPictures = useStudioState(({ pictures }) => pictures.length > 0);
  const isOwn = useIsOwn();
  const hasHeic = useStudioState(({ pictures }) => pictures.some(({ format }) => format === "heic"));
  return (
    <>
      {hasHeic && !isOwn && (
        <Suspense fallback={null}>
          <HeicNote />
        </Suspense>
      )}
      {/* Loaded with the first picture: the first view of the page has the quality alone. */}
      {hasPictures && (
        <Suspense fallback={<div className="min-h-16" />}>
          <AimChoice tool="compress" />
        </Suspense>
      )}
      {aim === "size" ? (
        <Suspense fallback={<div className="min-h-40" />}>
          <SizeField tool="compress" problemIn={problemIn} />
        </Suspense>
      ) : (
        <QualityField tool="compress" problemIn={problemIn} />
      )}
      <p className="text-sm text-muted">
        {aim === "size"
          ? "The best quality that fits. A result is never larger than its original."
          : "100 is lossless where the format can be. The same number looks the same in every format, and a result is never larger than its original."}
      </p>
    </>
  );
}
