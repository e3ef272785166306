import { fileNameOf, type Usage, type UsageRow } from "@tintype/contract";
import { useCallback, useId, useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { brand, isPrivate } from "../../lib/brand.ts";
import { countCredits } from "../../lib/count-credits.ts";
import { countOf } from "../../lib/size.ts";
import { useRead } from "../../lib/use-read.ts";
import { FileButton } from "../../ui/file-button.tsx";
import { PeriodSelect } from "../../ui/period-select.tsx";
import { ReadState } from "../../ui/read-state.tsx";
import {
  barsOf,
  creditsOf,
  type Filter,
  filesOf,
  filterRows,
  keyLabel,
  keyValue,
  partsOf,
  type Span,
  spanDays,
  spans,
  toolLabel,
} from "./sum-usage.ts";
import { UsageChart } from "./usage-chart.tsx";
import { UsageParts } from "./usage-parts.tsx";
import { UsageTable } from "./usage-table.tsx";

const byTool = {
  groupBy: ({ operation }: UsageRow) => operation,
  nameOf: ({ operation }: UsageRow) => toolLabel(operation),
};
const byKey = { groupBy: keyValue, nameOf: keyLabel };

/** What a person's credits were used for. */
export function UsagePage() {
  const api = useApi();
  const [span, setSpan] = useState<Span>(spans[1]);
  const load = useCallback(
    (signal: AbortSignal) => api.call("GET /usage", { query: spanDays(span, new Date()), signal }),
    [api, span],
  );
  const { data, problem, read } = useRead(load);

  return (
    <div>
      <div className="flex flex-wrap items-end gap-x-4 gap-y-4">
        <PeriodSelect periods={spans} chosen={span} onChoose={setSpan} />
        <FileButton
          label="Download CSV"
          defaultName={`${fileNameOf(brand.name)}-usage.csv`}
          open={() => api.open("GET /usage.csv", { query: spanDays(span, new Date()) })}
        />
      </div>
      <ReadState {...{ data, problem, read }} />
      {data && <Shown usage={data} span={span} />}
    </div>
  );
}

function Shown({ usage, span }: { usage: Usage; span: Span }) {
  const titleId = useId();
  const [filter, setFilter] = useState<Filter>({ operation: "", key: "" });
  const tools = partsOf(usage.rows, byTool);
  const keys = partsOf(usage.rows, byKey);
  // A filter value that does not occur in the span is ignored.
  const chosen: Filter = {
    operation: tools.some(({ value }) => value === filter.operation) ? filter.operation : "",
    key: keys.some(({ value }) => value === filter.key) ? filter.key : "",
  };
  const rows = filterRows(usage.rows, chosen);
  if (usage.rows.length === 0)
    return (
      <p className="mt-10 text-muted">
        {isPrivate ? "Nothing was done" : "No credits were used"} in this period. Each image you process shows up here.
      </p>
    );
  return (
    <>
      <section aria-labelledby={titleId} className="mt-10">
        <h2 id={titleId} className="text-3xl" aria-live="polite">
          {countCredits(creditsOf(rows))}
        </h2>
        <p className="mt-1 text-sm text-muted">for {countOf(filesOf(rows), "image")}</p>
        <UsageChart bars={barsOf(usage, rows, span.by)} by={span.by} />
      </section>
      <div className="mt-12 grid gap-x-16 gap-y-12 md:grid-cols-2">
        <UsageParts
          title="By tool"
          parts={tools}
          chosen={chosen.operation}
          onChoose={(operation) => setFilter({ ...chosen, operation })}
        />
        <UsageParts title="By key" parts={keys} chosen={chosen.key} onChoose={(key) => setFilter({ ...chosen, key })} />
      </div>
      <UsageTable rows={rows} />
    </>
  );
}
