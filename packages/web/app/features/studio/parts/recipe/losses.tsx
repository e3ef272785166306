import type { WrittenStep } from "@tintype/contract";
import { useCallback } from "react";
import { useApi } from "../../../../lib/api/context.tsx";
import { useRead } from "../../../../lib/use-read.ts";
import { useStudioState } from "../../work/studio-context.tsx";

/** Most files in a quote. */
const maxFiles = 500;

/** What the steps would lose in the pictures on the page, from the server's quote. Best effort: shows nothing if the quote fails. */
export function Losses({ steps }: { steps: readonly WrittenStep[] }) {
  const api = useApi();
  const pictures = useStudioState((state) => state.pictures);
  const files = pictures.flatMap(({ format, sides, sizeBytes, isAnimated }) => {
    if (!format || !sides || sizeBytes === 0) return [];
    const isStill = (format === "png" || format === "webp") && !isAnimated;
    const size = { width: sides.widthPx, height: sides.heightPx, size_bytes: sizeBytes };
    return [{ ...size, format, ...(isStill && { frames: 1 }) }];
  });
  const request = files.length > 0 ? JSON.stringify({ recipe: { steps }, files: files.slice(0, maxFiles) }) : undefined;
  const { data } = useRead(
    useCallback(
      async (signal: AbortSignal) =>
        request ? api.call("POST /quote", { json: JSON.parse(request), signal }) : undefined,
      [api, request],
    ),
  );
  const sentences = [...new Set(data?.losses.map(({ detail }) => detail))];
  return sentences.map((sentence) => (
    <p key={sentence} className="text-xs wrap-anywhere">
      {sentence}
    </p>
  ));
}
