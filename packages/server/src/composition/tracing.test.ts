import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { json } from "node:stream/consumers";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "../config.ts";
import { type Cluster, startCluster } from "../testing/cluster.ts";
import { createCaller, startTestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

type Value = { stringValue?: string; intValue?: number | string };
type Span = {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: Value }[];
  status: { code?: number; message?: string };
  service: string;
};
/** The part of an OTLP request that is read here. */
type Batch = {
  resourceSpans: {
    resource: { attributes: { key: string; value: Value }[] };
    scopeSpans: { spans: Omit<Span, "service">[] }[];
  }[];
};

const spans: Span[] = [];
const asked: { path: string | undefined; token: string | undefined }[] = [];
const text = ({ value }: { value: Value } | undefined = { value: {} }) => String(value.stringValue ?? value.intValue);
const attributeOf = ({ attributes }: Pick<Span, "attributes">, name: string) =>
  text(attributes.find(({ key }) => key === name));

/** OTLP/HTTP in JSON. */
const collector = createServer(async (request, response) => {
  const { resourceSpans } = (await json(request)) as Batch;
  asked.push({ path: request.url, token: request.headers["x-token"]?.toString() });
  for (const { resource, scopeSpans } of resourceSpans)
    for (const { spans: some } of scopeSpans)
      for (const span of some) spans.push({ ...span, service: attributeOf(resource, "service.name") });
  response.setHeader("content-type", "application/json").end("{}");
});
let cluster: Cluster;
beforeAll(async () => {
  collector.listen(0, "127.0.0.1");
  await once(collector, "listening");
  cluster = await startCluster();
});
afterAll(async () => {
  await cluster.close();
  collector.closeAllConnections();
  collector.close();
});

test("one trace reaches from the HTTP request to the worker's picture and its engine", async () => {
  const { port } = collector.address() as AddressInfo; // a TCP server has one
  const environment = {
    OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}/`,
    OTEL_EXPORTER_OTLP_PROTOCOL: "http/json",
    OTEL_EXPORTER_OTLP_HEADERS: "x-token=a%20token",
    OTEL_BSP_SCHEDULE_DELAY: "200",
  };
  const [api] = await Promise.all([cluster.start("api", environment), cluster.start("worker", environment)]);
  const trace = "4bf92f3577b34da6a3ce929d0e0e4736";
  const parent = "00f067aa0ba902b7";
  const headers = { traceparent: `00-${trace}-${parent}-01` };
  const caller = createCaller(api.baseUrl);
  const files = [{ name: "secret-name.png", bytes: samplePng(30, 20) }];
  const answer = await caller.run("compress", files, { quality: "60" }, headers);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("x-request-id")).toBe(trace);
  // This refusal's message contains the file names.
  const broken = ["secret-one.png", "secret-two.png"].map((name) => ({ name, bytes: samplePng(30, 20).slice(0, 40) }));
  expect((await caller.run("compress", broken, { quality: "60" })).status).toBe(422);
  await caller.call("/api/nothing?email=ann@example.com");
  await expect
    .poll(() => spans.flatMap(({ name, traceId }) => (traceId === trace ? [name] : [])).toSorted())
    .toEqual(expect.arrayContaining(["POST /api/compress", "engine", "picture", "queue job"]));
  const named = (name: string) => spans.find((span) => span.name === name && span.traceId === trace);
  const [http, queued, picture, engine] = ["POST /api/compress", "queue job", "picture", "engine"].map(named);
  expect(http).toMatchObject({ parentSpanId: parent, service: "tintype-api" });
  expect(queued).toMatchObject({ service: "tintype-api", kind: 4 });
  expect(picture).toMatchObject({ parentSpanId: queued?.spanId, service: "tintype-worker", kind: 5 });
  expect(engine).toMatchObject({ parentSpanId: picture?.spanId, service: "tintype-worker" });
  // The request handler's span is between the two.
  const handler = spans.find(({ spanId }) => spanId === queued?.parentSpanId);
  expect(handler?.parentSpanId).toBe(http?.spanId);
  expect(picture && attributeOf(picture, "tintype.request_id")).toBe(trace);
  expect(picture && attributeOf(picture, "tintype.state")).toBe("done");
  expect(asked).toContainEqual({ path: "/v1/traces", token: "a token" });
  await expect.poll(() => spans.filter(({ name }) => name === "POST /api/compress").length).toBe(2);
  expect(JSON.stringify(spans)).not.toMatch(/secret-|ann@example/);
});

test("without a collector nothing of OpenTelemetry is loaded", async () => {
  const compose = fileURLToPath(new URL("./compose.ts", import.meta.url));
  const tracing = fileURLToPath(new URL("./tracing.ts", import.meta.url));
  const load = async (environment: Record<string, string>) => {
    // What is loaded: ECMAScript modules by a hook, CommonJS by the cache. The bare API, of no-ops, is loaded by better-auth too.
    const script = `
      import { createRequire, registerHooks } from "node:module";
      const loaded = new Set();
      registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
      await import(${JSON.stringify(compose)});
      const { openTracing } = await import(${JSON.stringify(tracing)});
      const flag = process.env.OTEL_SDK_DISABLED === "true";
      const { close } = await openTracing({ ...process.env, OTEL_SDK_DISABLED: flag, TINTYPE_ROLE: "all" }, { info() {}, warn() {} });
      await close();
      const all = [...loaded, ...Object.keys(createRequire(import.meta.url).cache)];
      console.log(all.length > 100, all.some((path) => /@opentelemetry.(?!api.|semantic-conventions.)|@fastify.otel/.test(path)));`;
    const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
      env: { PATH: process.env["PATH"], ...environment },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const said: Buffer[] = [];
    child.stdout.on("data", (part: Buffer) => said.push(part));
    await once(child, "close"); // by then all that it printed is read
    return Buffer.concat(said).toString().trim();
  };
  const collectorOf = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:9" };
  expect(await load({})).toBe("true false");
  expect(await load({ ...collectorOf, OTEL_SDK_DISABLED: "true" })).toBe("true false");
  expect(await load({ ...collectorOf, OTEL_TRACES_EXPORTER: "none" })).toBe("true false");
  // The same check finds it when traces are on.
  expect(await load(collectorOf)).toBe("true true");
});

test("a job of a server without traces has no trace in its row", async () => {
  const app = await startTestApp();
  const headers = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };
  const answer = await app.caller().run("compress", [{ name: "a.png", bytes: samplePng(30, 20) }], {}, headers);
  expect(answer.status).toBe(200);
  const { rows } = (await app.db.execute("select traceparent from jobs")) as unknown as { rows: object[] }; // both drivers'
  expect(rows).toEqual([{ traceparent: null }]);
  await app.close();
});

test("settings that are wrong are refused with a sentence", () => {
  const read = (environment: Record<string, string>) => () => readConfig({ TINTYPE_DATA: "/nowhere", ...environment });
  expect(read({ OTEL_EXPORTER_OTLP_PROTOCOL: "grpc" })).toThrow(
    "OTEL_EXPORTER_OTLP_PROTOCOL must be one of http/protobuf, http/json.",
  );
  expect(read({ OTEL_EXPORTER_OTLP_HEADERS: "no equals sign" })).toThrow("name=value");
  expect(read({ OTEL_EXPORTER_OTLP_ENDPOINT: "collector:4317" })).toThrow("OTEL_EXPORTER_OTLP_ENDPOINT");
});
