import type { FastifyPluginCallback } from "fastify";

export type SpanAttributes = Record<string, string | number | boolean>;

export type SpanOptions = {
  /** `producer` enqueues work, `consumer` takes it from the queue. Default: within one process. */
  kind?: "producer" | "consumer";
  /** The parent span as a `traceparent`; null: none. Default: the current one. */
  parent?: string | null;
  attributes?: SpanAttributes;
};

/** A request's spans, for a collector. */
export type Tracing = {
  /** Runs the work within a span. `add` sets attributes on the span. An error that the work throws marks it as failed. */
  span<Result>(
    name: string,
    options: SpanOptions,
    work: (add: (attributes: SpanAttributes) => void) => Promise<Result>,
  ): Promise<Result>;
  /** The current span (W3C Trace Context, §3.2), for a job's row; undefined if nothing is traced. */
  traceparent(): string | undefined;
  /** Creates a span for each HTTP request, which continues the caller's trace. */
  plugin?: FastifyPluginCallback;
  /** Flushes what is left. */
  close(): Promise<void>;
};

export const noTracing: Tracing = {
  span: (_name, _options, work) => work(() => {}),
  traceparent: () => undefined,
  close: async () => {},
};
