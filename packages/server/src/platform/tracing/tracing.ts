import type { FastifyPluginCallback } from "fastify";

export type SpanAttributes = Record<string, string | number | boolean>;

export type SpanOptions = {
  /** `producer` hands work to the queue, `consumer` takes it from there. Left out: within one process. */
  kind?: "producer" | "consumer";
  /** The span that it belongs to, as a `traceparent`; null: none. Left out: the present one. */
  parent?: string | null;
  attributes?: SpanAttributes;
};

/** Spans of the way of a request, for whoever collects them. */
export type Tracing = {
  /** Does the work within a span. `add` puts more on the span; an error that the work throws marks it as failed. */
  span<Result>(
    name: string,
    options: SpanOptions,
    work: (add: (attributes: SpanAttributes) => void) => Promise<Result>,
  ): Promise<Result>;
  /** The present span (W3C Trace Context, §3.2), for the row of a job; undefined where nothing is traced. */
  traceparent(): string | undefined;
  /** Gives each HTTP request a span, which continues the caller's trace. */
  plugin?: FastifyPluginCallback;
  /** Sends what is left. */
  close(): Promise<void>;
};

export const noTracing: Tracing = {
  span: (_name, _options, work) => work(() => {}),
  traceparent: () => undefined,
  close: async () => {},
};
