import { setTimeout as wait } from "node:timers/promises";
import { FastifyOtelInstrumentation } from "@fastify/otel";
import {
  context,
  DiagLogLevel,
  diag,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from "@opentelemetry/resources";
import { BatchSpanProcessor, NodeTracerProvider } from "@opentelemetry/sdk-trace-node";
import { DomainError } from "@tintype/contract";
import type { FastifyBaseLogger, FastifyPluginCallback } from "fastify";
import { releaseVersion } from "../release.ts";
import type { SpanOptions, Tracing } from "./tracing.ts";

export type TraceProtocol = "http/json" | "http/protobuf";

type OpenTelemetryOptions = {
  protocol: TraceProtocol;
  /** Including `/v1/traces`. */
  url: string;
  headers: Record<string, string>;
  /** `OTEL_SERVICE_NAME` and `OTEL_RESOURCE_ATTRIBUTES` take precedence. */
  serviceName: string;
  log: Pick<FastifyBaseLogger, "warn">;
};

const kinds = { producer: SpanKind.PRODUCER, consumer: SpanKind.CONSUMER };

/**
 * Traces with OpenTelemetry's SDK, which reads the sampler and the batch limits from `OTEL_*`. Only this file imports the
 * SDK, and it is loaded only if tracing is on. Spans contain ids, routes and numbers; no queries, file names or addresses.
 */
export async function openTelemetry({
  protocol,
  url,
  headers,
  serviceName,
  log,
}: OpenTelemetryOptions): Promise<Tracing> {
  const { OTLPTraceExporter } =
    protocol === "http/json"
      ? await import("@opentelemetry/exporter-trace-otlp-http")
      : await import("@opentelemetry/exporter-trace-otlp-proto");
  const warn = (message: string) => log.warn({ problem: message.slice(0, maxProblemLength) }, "OpenTelemetry");
  diag.setLogger({ error: warn, warn, info() {}, debug() {}, verbose() {} }, DiagLogLevel.WARN);
  const own = resourceFromAttributes({ "service.name": serviceName, "service.version": releaseVersion });
  const provider = new NodeTracerProvider({
    resource: defaultResource()
      .merge(own)
      .merge(detectResources({ detectors: [envDetector] })),
    spanProcessors: [new BatchSpanProcessor(new OTLPTraceExporter({ url, headers }))],
  });
  provider.register();
  const tracer = provider.getTracer("tintype", releaseVersion);
  return {
    span: (name, { kind, parent, attributes = {} }, work) =>
      tracer.startActiveSpan(
        name,
        { kind: kind ? kinds[kind] : SpanKind.INTERNAL, attributes },
        contextOf(parent),
        async (span) => {
          try {
            return await work((more) => void span.setAttributes(more));
          } catch (problem) {
            markFailed(span, problem);
            throw problem;
          } finally {
            span.end();
          }
        },
      ),
    traceparent() {
      const carrier: { traceparent?: string } = {};
      propagation.inject(context.active(), carrier);
      return carrier.traceparent;
    },
    plugin: fastifyPlugin(provider),
    async close() {
      // A collector that does not respond must not delay the shutdown.
      const shutdown = provider.shutdown().catch((problem: unknown) => warn(String(problem)));
      await Promise.race([shutdown, wait(maxShutdownMs, undefined, { ref: false })]);
      for (const api of [trace, context, propagation, diag]) api.disable();
    },
  };
}

const maxShutdownMs = 1_500;
const maxProblemLength = 500;

function contextOf(parent: SpanOptions["parent"]) {
  if (parent === undefined) return context.active();
  return parent === null ? ROOT_CONTEXT : propagation.extract(ROOT_CONTEXT, { traceparent: parent });
}

/** A message may quote a caller's input: the code is enough. */
function markFailed(span: Span, problem: unknown): void {
  const name = problem instanceof Error ? problem.name : "Error";
  span.setStatus({ code: SpanStatusCode.ERROR });
  span.setAttribute("error.type", problem instanceof DomainError ? problem.code : name);
}

/** The plugin adds an error's message to the status, and a database error's message contains values. */
function withoutMessages(span: Span): void {
  const { setStatus } = span;
  span.setStatus = ({ code }) => setStatus.call(span, { code });
}

function fastifyPlugin(provider: NodeTracerProvider): FastifyPluginCallback {
  const instrumentation = new FastifyOtelInstrumentation({
    // An event stream would keep its span open until the client leaves.
    ignorePaths: ({ url }) => /^\/(healthz|readyz|metrics|assets\/|api\/jobs\/[^/]+\/events)/.test(url),
    // One span for the request and one for its handler: our hooks are numerous.
    instrumentHooks: false,
    recordExceptions: false,
    requestHook(span, request) {
      const route = request.routeOptions.url ?? "none";
      span.updateName(`${request.method} ${route}`);
      // The plugin records the address with its query, and mailed links have their token there.
      span.setAttributes({ "url.path": route, "tintype.request_id": request.id });
      withoutMessages(span);
    },
    lifecycleHook: withoutMessages,
  });
  instrumentation.setTracerProvider(provider);
  return instrumentation.plugin();
}
