import { type DeskFigures, formatPrice, type ReportInterval } from "@tintype/contract";
import { type ReactNode, useCallback, useId, useState } from "react";
import { useApi } from "../../lib/api/context.tsx";
import { isPrivate } from "../../lib/brand.ts";
import { countCredits } from "../../lib/count-credits.ts";
import { type Step, stepsOf } from "../../lib/day-steps.ts";
import { countOf, formatNumber } from "../../lib/size.ts";
import { useRead } from "../../lib/use-read.ts";
import { PeriodSelect } from "../../ui/period-select.tsx";
import { ReadState } from "../../ui/read-state.tsx";
import { FigureBars, Legend, Scale, StepEnds } from "./figure-bars.tsx";
import {
  changeSeries,
  creditsByPlan,
  creditsByTool,
  type Part,
  type Period,
  periodDays,
  periods,
  type Revenue,
  revenueSeries,
  sumOf,
} from "./figure-series.ts";
import { FigureTable } from "./figure-table.tsx";
import { None } from "./lines.tsx";

/** The service's figures: revenue, subscriptions and credits over a period. */
export function FiguresView() {
  const api = useApi();
  const [period, setPeriod] = useState<Period>(periods[0]);
  const load = useCallback(
    (signal: AbortSignal) => api.call("GET /admin/figures", { query: periodDays(period, new Date()), signal }),
    [api, period],
  );
  const { data, problem, read } = useRead(load);
  return (
    <div className="max-w-4xl">
      <div className="flex flex-wrap items-end justify-between gap-4">
        <div>
          <h2 className="text-2xl">Figures</h2>
          <p className="mt-2 text-sm text-muted">Days and months are in UTC.</p>
        </div>
        <PeriodSelect periods={periods} chosen={period} onChoose={setPeriod} />
      </div>
      <ReadState {...{ data, problem, read }} />
      {data && <Shown figures={data} />}
    </div>
  );
}

function Shown({ figures }: { figures: DeskFigures }) {
  const { by } = figures;
  const steps = stepsOf(figures);
  const revenue = revenueSeries(steps, figures.revenue);
  return (
    <div className="mt-10 space-y-14">
      {!isPrivate && (
        <>
          <Topic title="Revenue" words="Payments by day. A refund counts on the day of its payment.">
            {revenue.length === 0 && <None>No payments in this period.</None>}
            {revenue.map((series) => (
              <RevenuePlot key={`${series.currency} ${series.isTest}`} by={by} steps={steps} series={series} />
            ))}
          </Topic>
          <Topic
            title="Subscriptions"
            words="People who started a paid plan, and people who went back to the free one. Changes between paid plans are not counted."
          >
            <Changes by={by} steps={steps} figures={figures} />
          </Topic>
        </>
      )}
      <Topic
        title={isPrivate ? "Uses" : "Credits"}
        words="Used by files that came out well. A recipe counts as its first step."
      >
        {figures.credits.length === 0 ? (
          <None>{`${isPrivate ? "Nothing was done" : "No credits used"} in this period.`}</None>
        ) : (
          <>
            <Headline>{countCredits(sumOf(figures.credits.map(({ credits }) => credits)))}</Headline>
            <div className="mt-8 grid gap-x-16 gap-y-12 md:grid-cols-2">
              {!isPrivate && (
                <Parts title="By plan" by={by} steps={steps} parts={creditsByPlan(steps, figures.credits)} />
              )}
              <Parts title="By tool" by={by} steps={steps} parts={creditsByTool(steps, figures.credits)} />
            </div>
          </>
        )}
      </Topic>
    </div>
  );
}

function Topic({ title, words, children }: { title: string; words: string; children: ReactNode }) {
  const titleId = useId();
  return (
    <section aria-labelledby={titleId}>
      <h3 id={titleId} className="text-xl">
        {title}
      </h3>
      <p className="mt-1 mb-5 text-sm text-muted">{words}</p>
      {children}
    </section>
  );
}

const Headline = ({ children }: { children: ReactNode }) => (
  <p className="font-serif text-3xl tabular-nums">{children}</p>
);

type Plotted = { by: ReportInterval; steps: readonly Step[] };

const spanOf = ({ by, steps }: Plotted) => `by the ${by}, ${steps.at(0)?.label} to ${steps.at(-1)?.label}`;

function RevenuePlot({ by, steps, series }: Plotted & { series: Revenue }) {
  const { currency, isTest, payments, paidMinor, refundedMinor } = series;
  const write = (amountMinor: number) => formatPrice({ amountMinor, currency });
  const [paid, refunded] = [sumOf(paidMinor), sumOf(refundedMinor)];
  const more = [
    `from ${countOf(sumOf(payments), "payment")}`,
    refunded > 0 && `${write(refunded)} refunded`,
    isTest && "test mode: no money moved",
  ]
    .filter(Boolean)
    .join(", ");
  const title = `Revenue in ${currency}${isTest ? ", test mode" : ""}`;
  return (
    <div className="mb-10 last:mb-0">
      <Headline>{write(paid)}</Headline>
      <p className="mt-1 mb-4 text-sm text-muted">
        {currency}, {more}
      </p>
      <Scale>{write(Math.max(...paidMinor))}</Scale>
      <FigureBars
        summary={`${title} ${spanOf({ by, steps })}: ${write(paid)} ${more}.`}
        steps={steps}
        values={paidMinor}
        lighter={refundedMinor}
        title={(index) => {
          const back = refundedMinor[index] ?? 0;
          return `${steps[index]?.label}: ${write(paidMinor[index] ?? 0)}${back > 0 ? `, ${write(back)} refunded` : ""}`;
        }}
        className="h-40"
      />
      <StepEnds steps={steps} />
      {refunded > 0 && <Legend dark="Kept" light="Refunded" />}
      <FigureTable
        label={title}
        by={by}
        steps={steps}
        columns={[
          { label: "Payments", values: payments, write: formatNumber },
          { label: "Paid", values: paidMinor, write },
          { label: "Refunded", values: refundedMinor, write },
          { label: "Kept", values: paidMinor.map((value, index) => value - (refundedMinor[index] ?? 0)), write },
        ]}
      />
    </div>
  );
}

function Changes({ by, steps, figures }: Plotted & { figures: DeskFigures }) {
  const changes = changeSeries(steps, figures.subscriptions);
  const words = `${formatNumber(sumOf(changes.new))} new, ${formatNumber(sumOf(changes.lost))} lost`;
  if (figures.subscriptions.length === 0) return <None>No new or lost subscriptions in this period.</None>;
  return (
    <>
      <Headline>{words}</Headline>
      <div className="mt-4">
        <Scale>{formatNumber(Math.max(...changes.new))}</Scale>
        <FigureBars
          summary={`New and lost subscriptions ${spanOf({ by, steps })}: ${words}.`}
          steps={steps}
          values={changes.new}
          below={changes.lost}
          title={(index) => `${steps[index]?.label}: ${changes.new[index]} new, ${changes.lost[index]} lost`}
          className="h-40"
        />
      </div>
      <StepEnds steps={steps} />
      <Legend dark="New" light="Lost" />
      <FigureTable
        label="New and lost subscriptions"
        by={by}
        steps={steps}
        columns={[
          { label: "New", values: changes.new, write: formatNumber },
          { label: "Lost", values: changes.lost, write: formatNumber },
        ]}
      />
    </>
  );
}

/** A plot for each part, all on the same scale. */
function Parts({ title, by, steps, parts }: Plotted & { title: string; parts: readonly Part[] }) {
  const titleId = useId();
  const max = Math.max(1, ...parts.flatMap(({ values }) => values));
  return (
    <section aria-labelledby={titleId} className="min-w-0">
      <h4 id={titleId} className="font-sans text-base font-medium">
        {title}
      </h4>
      <p aria-hidden className="mt-1 text-xs text-muted">
        One scale: a full bar is {countCredits(max)} a {by}.
      </p>
      <ul className="mt-3 space-y-4">
        {parts.map(({ label, values }) => (
          <li key={label}>
            <p aria-hidden className="mb-1.5 flex items-baseline justify-between gap-4 text-sm">
              <span>{label}</span>
              <span className="text-muted tabular-nums">{formatNumber(sumOf(values))}</span>
            </p>
            <FigureBars
              summary={`${label} ${spanOf({ by, steps })}: ${countCredits(sumOf(values))}.`}
              steps={steps}
              values={values}
              max={max}
              title={(index) => `${steps[index]?.label}: ${countCredits(values[index] ?? 0)}`}
              className="h-10"
            />
          </li>
        ))}
      </ul>
      <StepEnds steps={steps} />
      <FigureTable
        label={`${isPrivate ? "Uses" : "Credits"} ${title.toLowerCase()}`}
        by={by}
        steps={steps}
        columns={parts.map(({ label, values }) => ({ label, values, write: formatNumber }))}
      />
    </section>
  );
}
