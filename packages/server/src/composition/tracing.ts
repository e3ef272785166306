import type { FastifyBaseLogger } from "fastify";
import type { Config } from "../config.ts";
import { noTracing, type Tracing } from "../platform/tracing/tracing.ts";

type TracingSettings = Pick<
  Config,
  | "OTEL_SDK_DISABLED"
  | "OTEL_TRACES_EXPORTER"
  | "OTEL_EXPORTER_OTLP_ENDPOINT"
  | "OTEL_EXPORTER_OTLP_TRACES_ENDPOINT"
  | "OTEL_EXPORTER_OTLP_PROTOCOL"
  | "OTEL_EXPORTER_OTLP_TRACES_PROTOCOL"
  | "OTEL_EXPORTER_OTLP_HEADERS"
  | "OTEL_EXPORTER_OTLP_TRACES_HEADERS"
  | "TINTYPE_ROLE"
>;

/** OpenTelemetry Protocol Exporter, "Endpoint URLs for OTLP/HTTP". */
const defaultEndpoint = "http://localhost:4318";

/** Traces by the standard `OTEL_*` settings: on if they name a collector or an exporter. If off, nothing of OpenTelemetry is loaded. */
export async function openTracing(settings: TracingSettings, log: FastifyBaseLogger): Promise<Tracing> {
  const {
    OTEL_TRACES_EXPORTER: exporter,
    OTEL_EXPORTER_OTLP_ENDPOINT: endpoint,
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: tracesEndpoint,
  } = settings;
  const isNamed = exporter === "otlp" || endpoint !== undefined || tracesEndpoint !== undefined;
  if (settings.OTEL_SDK_DISABLED || exporter === "none" || !isNamed) return noTracing;
  const url = tracesEndpoint ?? `${(endpoint ?? defaultEndpoint).replace(/\/+$/, "")}/v1/traces`;
  const protocol =
    settings.OTEL_EXPORTER_OTLP_TRACES_PROTOCOL ?? settings.OTEL_EXPORTER_OTLP_PROTOCOL ?? "http/protobuf";
  const { openTelemetry } = await import("../platform/tracing/open-telemetry.ts");
  const role = settings.TINTYPE_ROLE;
  const serviceName = role === "all" ? "tintype" : `tintype-${role}`;
  log.info({ collector: new URL(url).origin, protocol, serviceName }, "traces are sent");
  const headers = { ...settings.OTEL_EXPORTER_OTLP_HEADERS, ...settings.OTEL_EXPORTER_OTLP_TRACES_HEADERS };
  return openTelemetry({ protocol, url, headers, serviceName, log });
}
