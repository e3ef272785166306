import { useEffect, useRef, useState } from "react";
import { useApi } from "../../../../lib/api/context.tsx";
import { isPrivate } from "../../../../lib/brand.ts";
import { ordersOf, partsOf, sentSteps } from "../../state/order.ts";
import { isRunning } from "../../state/studio-state.ts";
import { sha256 } from "../../work/cache/sha-256.ts";
import { useStudio, useStudioState } from "../../work/studio-context.tsx";

/** A dragged setting rests for this long before the server is asked. */
const restMs = 300;
/** A result is free to continue for 14 minutes: the price is asked for again while the page is left alone. */
const againMs = 30_000;

/** Asks the server which of the results that are the input now cost nothing to continue, and tells the studio. */
export function useFreeSteps(): void {
  const api = useApi();
  const studio = useStudio();
  const pictures = useStudioState((state) => state.pictures);
  const tool = useStudioState((state) => state.tool);
  const settings = useStudioState((state) => state.settings);
  const steps = useStudioState((state) => state.steps);
  const isBusy = useStudioState(isRunning);
  const [asked, setAsked] = useState(0);
  const hashes = useRef(new WeakMap<File, Promise<string>>());
  useEffect(() => {
    const timer = setInterval(() => setAsked((times) => times + 1), againMs);
    return () => clearInterval(timer);
  }, []);
  // biome-ignore lint/correctness/useExhaustiveDependencies: whatever the price depends on asks again, and so does time.
  useEffect(() => {
    if (isBusy || isPrivate) return;
    const abort = new AbortController();
    const { signal } = abort;
    const hashOf = (file: File) => {
      const hash = hashes.current.get(file) ?? sha256(file);
      hashes.current.set(file, hash);
      return hash;
    };
    const ask = async () => {
      const state = studio.read();
      const results = state.pictures.filter(({ original, file, format, sides }) => original && file && format && sides);
      const free = await Promise.all(
        partsOf(ordersOf(state, results)).map(async ({ order, ids }) => {
          const sent = results.filter(({ id }) => ids.includes(id));
          const files = await Promise.all(
            sent.map(async ({ file, format, sides, sizeBytes }) => ({
              format,
              width: sides?.widthPx,
              height: sides?.heightPx,
              size_bytes: sizeBytes,
              sha256: file && (await hashOf(file)),
            })),
          );
          const json = JSON.parse(JSON.stringify({ recipe: { steps: sentSteps(order) }, files }));
          const { continued } = await api.call("POST /quote", { json, signal });
          return continued.flatMap((index) => sent[index]?.id ?? []);
        }),
      );
      if (!signal.aborted) studio.dispatch({ type: "prices-found", found: { freeIds: new Set(free.flat()) } });
    };
    // Without an answer the price of a new picture is shown, which is never too little.
    const timer = setTimeout(
      () => void ask().catch(() => studio.dispatch({ type: "prices-found", found: { freeIds: new Set() } })),
      restMs,
    );
    return () => {
      clearTimeout(timer);
      abort.abort();
    };
  }, [api, studio, pictures, tool, settings, steps, isBusy, asked]);
}
