import type { Step } from "../../lib/day-steps.ts";
import { joinClasses } from "../../lib/join-classes.ts";

type Props = {
  /** For screen readers; the table below has every number. */
  summary: string;
  steps: readonly Step[];
  /** Bars above the line. */
  values: readonly number[];
  /** The part of each of these bars that is drawn in a lighter tone, at its top. */
  lighter?: readonly number[];
  /** Bars below the line. */
  below?: readonly number[];
  /** The value at full height; plots that are compared share it. */
  max?: number;
  /** The tooltip of a bar. */
  title(index: number): string;
  className: string;
};

const width = 10;
const gap = 2;
/** 3:1 against the page and against the full tone (WCAG 1.4.11). */
const lighterOpacity = 0.5;

/** Bars over days or months. Both tones are one colour, which high contrast mode keeps. */
export function FigureBars({ summary, steps, values, lighter = [], below = [], className, title, ...props }: Props) {
  const up = Math.max(props.max ?? 0, ...values);
  const down = Math.max(0, ...below);
  const scale = 100 / Math.max(1, up + down);
  const line = up * scale;
  return (
    <svg
      role="img"
      aria-label={summary}
      viewBox={`0 0 ${Math.max(1, steps.length) * width} 100`}
      preserveAspectRatio="none"
      className={joinClasses("block w-full text-ink", className)}
    >
      {steps.map(({ step }, index) => {
        const value = values[index] ?? 0;
        const light = lighter[index] ?? 0;
        const lost = below[index] ?? 0;
        const bar = { x: index * width + gap / 2, width: width - gap, fill: "currentColor" };
        return (
          <g key={step} className="hover:text-accent">
            <title>{title(index)}</title>
            <rect x={index * width} width={width} height={100} fill="transparent" />
            <rect {...bar} y={line - (value - light) * scale} height={(value - light) * scale} />
            <rect {...bar} y={line - value * scale} height={light * scale} fillOpacity={lighterOpacity} />
            <rect {...bar} y={line} height={lost * scale} fillOpacity={lighterOpacity} />
          </g>
        );
      })}
      <line
        x1={0}
        x2={Math.max(1, steps.length) * width}
        y1={line}
        y2={line}
        stroke="currentColor"
        strokeOpacity={0.5}
        vectorEffect="non-scaling-stroke"
      />
    </svg>
  );
}

/** The value of the highest bar, above the bars. */
export const Scale = ({ children }: { children: string }) => (
  <p aria-hidden className="mb-1 border-b border-dashed border-line pb-1 text-xs text-muted tabular-nums">
    {children}
  </p>
);

/** The first and the last step, below the bars. */
export function StepEnds({ steps }: { steps: readonly Step[] }) {
  return (
    <p aria-hidden className="mt-2 flex justify-between text-xs text-muted">
      <span>{steps.at(0)?.label}</span>
      <span>{steps.at(-1)?.label}</span>
    </p>
  );
}

/** The meaning of the two tones. */
export function Legend({ dark, light }: { dark: string; light: string }) {
  return (
    <p aria-hidden className="mt-3 flex gap-5 text-xs text-muted">
      {[
        { words: dark, opacity: 1 },
        { words: light, opacity: lighterOpacity },
      ].map(({ words, opacity }) => (
        <span key={words} className="flex items-center gap-2">
          <svg viewBox="0 0 1 1" className="size-2.5 text-ink" aria-hidden>
            <rect width={1} height={1} fill="currentColor" fillOpacity={opacity} />
          </svg>
          {words}
        </span>
      ))}
    </p>
  );
}
