import type { WrittenStep } from "@tintype/contract";
import { useCallback } from "react";
import { useApi } from "../../../../lib/api/context.tsx";
import { useRead } from "../../../../lib/use-read.ts";
import { useStudioState } from "../../work/studio-context.tsx";

/** As many as a quote takes. */
const mostFiles = 500;

/** The losses that steps would cause to the pictures on the page, by the server's quote. A courtesy: nothing where it fails. */
export function Losses({ steps }: { steps: readonly WrittenStep[] }) {
  const api = useApi();
  const pictures = useStudioState((state) => state.pictures);
  const files = pictures.flatMap(({ format, sides, sizeBytes }) =>
    format && sides && sizeBytes > 0
      ? [{ width: sides.widthPx, height: sides.heightPx, size_bytes: sizeBytes, format }]
      : [],
  );
  const asked = files.length > 0 ? JSON.stringify({ recipe: { steps }, files: files.slice(0, mostFiles) }) : undefined;
  const { found } = useRead(
    useCallback(
      async (signal: AbortSignal) => (asked ? api.call("POST /quote", { json: JSON.parse(asked), signal }) : undefined),
      [api, asked],
    ),
  );
  const sentences = [...new Set(found?.losses.map(({ detail }) => detail))];
  return sentences.map((sentence) => (
    <p key={sentence} className="text-xs wrap-anywhere">
      {sentence}
    </p>
  ));
}
