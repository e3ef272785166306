import type { InputFormat, OperationName } from "@tintype/contract";
import type { Remarks } from "../../state/picture.ts";
import type { RecentResult } from "../../state/studio-state.ts";
import prepared from "./prepared.json" with { type: "json" };

const files = import.meta.glob<string>("../../../../pictures/samples/prepared/*", {
  query: "?url",
  import: "default",
  eager: true,
});

export type PreparedResult = Remarks &
  Pick<RecentResult, "tool" | "name" | "sourceName" | "format" | "sides"> & { read(): Promise<Blob> };

/**
 * Prepared results of our samples, by work key, so that trying a sample costs the visitor no credit and the server no work.
 * scripts/pictures/samples.mjs generates them with a running server.
 */
export const preparedResults: ReadonlyMap<string, PreparedResult> = new Map(
  prepared.results.map(({ file, key, tool, name, sourceName, format, widthPx, heightPx, notes, confidence }) => [
    JSON.stringify(key),
    {
      name,
      sourceName,
      notes,
      sides: { widthPx, heightPx },
      ...{ tool: tool as OperationName, format: format as InputFormat }, // the script writes the contract's names
      confidence: confidence ?? undefined,
      async read() {
        const url = files[`../../../../pictures/samples/prepared/${file}`];
        const response = await fetch(url ?? "");
        if (!response.ok) throw new Error(`The prepared result ${file} answered ${response.status}`);
        return response.blob();
      },
    },
  ]),
);
