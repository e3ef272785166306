// Every decoder, through the engine, and every route, with mutated real files and mutated requests. Status 1 where
// something was found; the inputs that found it are kept.
// npm run fuzz -- [--minutes 10] [--seed N] [--files folder] [--findings folder]
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dataPacks } from "../../bench/packs.ts";
import { type Endpoint, endpoints } from "../../packages/contract/src/schemas/index.ts";
import { startIssuer } from "../../packages/server/src/testing/issuer.ts";
import { below, mutate, pick, type Random, seededRandom } from "./mutate.ts";
import { madeSeeds, realSeeds, type Seed } from "./seeds.ts";
import { startService } from "./service.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "10" },
    seed: { type: "string", default: String(Date.now() % 1_000_000) },
    files: { type: "string" },
    findings: { type: "string", default: join(tmpdir(), "tintype-fuzz") },
  },
});
const endsAt = performance.now() + Number(values.minutes) * 60_000;
const startSeed = Number(values.seed);
const inFlight = 4;
/** No honest answer to a file this small takes longer; the engine's own limits are above. */
const slowMs = 60_000;
const mostMemoryMb = 1500;

const seeds = [...(await madeSeeds()), ...realSeeds(await dataPacks(values.files), { mostBytes: 300_000 })];
const issuer = await startIssuer();
const folder = mkdtempSync(join(tmpdir(), "tintype-fuzz-"));
const service = await startService({ folder, issuer });
console.log(`seed ${startSeed}, ${seeds.length} files, findings go to ${values.findings}`);

type Finding = { what: string; route: string; status: number; body: string; seed: number };
const findings: Finding[] = [];
const counts = new Map<string, number>();
const jobs: { path: string; token: string }[] = [];
let made = 0;

const words = ["", " ", "0", "-1", "1e9", "999999999999", "NaN", "null", "true", "[object Object]", "../../etc/passwd"];
const odd = [
  ...words,
  "a\u0000b",
  "\ud800",
  "é".repeat(3000),
  "%00",
  "'; drop table jobs",
  "<b>",
  "{}",
  "x".repeat(9999),
];
const rows = Object.values(endpoints) as Endpoint[];
const besides = ["/healthz", "/readyz", "/metrics", "/api/openapi.json", "/.well-known/security.txt", "/api/none", "/"];
const hooks = ["/api/webhooks/razorpay", "/sandbox/razorpay/v1/subscriptions", "/sandbox/razorpay/v1/plans/x"];

/** A value of the same shape, with something wrong in it here and there. */
function bend(value: unknown, random: Random): unknown {
  if (random() < 0.2) return pick(random, [...odd, 0, -1, 1e308, null, true, [], {}, [[[[]]]]]);
  if (Array.isArray(value)) return value.map((one) => bend(one, random));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, bend(one, random)]));
}

const optionValues: Record<string, readonly string[]> = {
  quality: ["1", "60", "100"],
  width: ["1", "40", "400", "16384"],
  height: ["", "1", "30"],
  method: ["fit", "fill", "stretch"],
  target_format: ["png", "jpg", "webp", "gif", "tiff", "bmp", "avif"],
  scale_factor: ["2"],
  side: ["16", "512"],
};

function formFor(row: Endpoint, random: Random): FormData {
  const form = new FormData();
  const put = (name: string, text: string) => form.append(name, random() < 0.05 ? pick(random, odd) : text);
  for (const [name, texts] of Object.entries(optionValues)) if (random() < 0.8) put(name, pick(random, texts));
  if (random() < 0.05) for (let i = 0; i < below(random, 80); i++) put(`field${i}`, "x");
  const files = random() < 0.9 ? 1 : below(random, 5);
  for (let i = 0; i < files; i++) {
    const [seed, other] = [pick<Seed>(random, seeds), pick<Seed>(random, seeds)];
    const bytes = random() < 0.1 ? seed.bytes : mutate(seed.bytes, random, other.bytes);
    const name = random() < 0.1 ? pick(random, odd) : seed.name;
    form.append(
      random() < 0.95 ? (row.form?.files ?? "files") : "background_image",
      new Blob([new Uint8Array(bytes)]),
      name,
    );
  }
  return form;
}

/** Neural operations take seconds a picture: now and then, to leave turns for the rest. */
const weigh = (row: Endpoint) => (row.form ? (/upscale|remove-background/.test(row.path) ? 0.15 : 4) : 0.5);
const weighed = rows.flatMap((row) => Array<Endpoint>(Math.round(weigh(row) * 20)).fill(row));

function requestFor(random: Random): { path: string; init: RequestInit } {
  const headers: Record<string, string> = {};
  if (random() < 0.2) headers["prefer"] = "respond-async";
  if (random() < 0.1)
    headers["idempotency-key"] = pick(random, ["a", "b", "x".repeat(300), "é", ""]).replace(/[^ -~]/g, "e");
  if (random() < 0.1) headers["last-event-id"] = pick(random, ["0", "-1", "abc", "99999999999999999999"]);
  if (random() < 0.1)
    return { path: pick(random, [...besides, ...hooks]), init: { method: pick(random, ["GET", "POST"]), headers } };
  const row = pick(random, weighed);
  const job = jobs.length > 0 && random() < 0.7 ? pick(random, jobs).path.split("/").at(-1) : undefined;
  const parameter = () =>
    encodeURIComponent((random() < 0.5 ? job : undefined) ?? pick(random, odd).slice(0, 150)).replace(/%ED%A0%80/, "x");
  let path = `/api${row.path.replace(/\{\w+\}/g, () => safely(parameter))}`;
  if (row.query && random() < 0.7)
    path += `?before=${safely(() => encodeURIComponent(pick(random, odd)))}&size=${safely(() => encodeURIComponent(pick(random, odd)))}`;
  const method = random() < 0.04 ? pick(random, ["PUT", "PATCH", "DELETE", "OPTIONS", "HEAD"]) : row.method;
  if (method === "GET" || method === "HEAD") return { path, init: { method, headers } };
  if (row.form && random() < 0.97) return { path, init: { method, headers, body: formFor(row, random) } };
  headers["content-type"] =
    random() < 0.9 ? "application/json" : pick(random, ["text/plain", "multipart/form-data", "x"]);
  const json = JSON.stringify(bend(row.example?.body ?? {}, random));
  const body =
    random() < 0.2
      ? new Uint8Array(mutate(new TextEncoder().encode(json), random, new TextEncoder().encode(json)))
      : json;
  return { path, init: { method, headers, body } };
}

/** A lone surrogate has no form in an address. */
function safely(text: () => string): string {
  try {
    return text();
  } catch {
    return "x";
  }
}

async function keep(finding: Omit<Finding, "seed">, seed: number, init: RequestInit): Promise<void> {
  findings.push({ ...finding, seed });
  console.log(
    `FOUND ${finding.what}: ${finding.route} ${finding.status} ${finding.body.slice(0, 200)} (request ${seed})`,
  );
  mkdirSync(values.findings, { recursive: true });
  const name = join(values.findings, `${startSeed}-${seed}`);
  if (init.body instanceof FormData) {
    for (const [index, file] of [...init.body.getAll("files"), ...init.body.getAll("file")].entries())
      if (file instanceof File)
        writeFileSync(`${name}-${index}-${file.name.replace(/[^\w.]/g, "_").slice(0, 40)}`, await file.bytes());
    const fields = [...init.body].filter(([, value]) => typeof value === "string");
    writeFileSync(`${name}.json`, JSON.stringify({ ...finding, fields }, null, 1));
  } else writeFileSync(`${name}.json`, JSON.stringify({ ...finding, body: String(init.body ?? "") }, null, 1));
}

async function one(number: number): Promise<void> {
  const random = seededRandom(startSeed * 7919 + number);
  for (let i = 0; i < 5; i++) random();
  const { path, init } = requestFor(random);
  const token = await service.token(number);
  const withToken = random() < 0.95;
  const begin = performance.now();
  const route = `${init.method} ${path.replace(/[?].*/, "").slice(0, 80)}`;
  try {
    const answer = await fetch(service.url + path, {
      ...init,
      headers: { ...init.headers, ...(withToken ? { authorization: `Bearer ${token}` } : {}) },
      signal: AbortSignal.timeout(slowMs * 3),
      redirect: "manual",
    });
    const bytes = await answer.bytes();
    const isText = /json|text/.test(answer.headers.get("content-type") ?? "");
    const body = isText ? new TextDecoder().decode(bytes.subarray(0, 2000)) : "";
    const key = `${answer.status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const place = answer.headers.get("location");
    if (answer.status === 202 && place) jobs.push({ path: place, token });
    // A model that was not fetched, and a queue that is full, are answers.
    const isBusy = answer.status === 503 && answer.headers.has("retry-after");
    if (answer.status >= 500 && !isBusy)
      await keep({ what: "an error of ours", route, status: answer.status, body }, number, init);
    if (/took-too-long/.test(body))
      await keep({ what: "an engine killed by time", route, status: answer.status, body }, number, init);
    if (performance.now() - begin > slowMs)
      await keep({ what: "a slow answer", route, status: answer.status, body }, number, init);
  } catch (problem) {
    const cause = problem instanceof Error ? `${problem.message} ${String(problem.cause ?? "")}` : String(problem);
    // fetch itself refuses some of what is tried here.
    if (/Invalid URL|ByteString|invalid header/i.test(cause)) return;
    await keep({ what: "no answer", route, status: 0, body: cause }, number, init);
  }
  if (jobs.length > 30) await drop(jobs.shift());
}

async function drop(job: (typeof jobs)[number] | undefined): Promise<void> {
  if (!job) return;
  const answer = await fetch(service.url + job.path, {
    method: "DELETE",
    headers: { authorization: `Bearer ${job.token}` },
  });
  await answer.bytes();
}

let firstMemoryMb = 0;
let most = { server: 0, tree: 0 };
const watch = setInterval(() => {
  const now = service.memoryMb();
  most = { server: Math.max(most.server, now.server), tree: Math.max(most.tree, now.tree) };
  if (!firstMemoryMb && made > 300) firstMemoryMb = now.server;
}, 1000);

await Promise.all(
  Array.from({ length: inFlight }, async () => {
    while (performance.now() < endsAt) await one(made++);
  }),
);
while (jobs.length > 0) await drop(jobs.shift());
clearInterval(watch);

const last = service.memoryMb();
if (most.server > mostMemoryMb)
  findings.push({ what: "memory of the server", route: "", status: 0, body: `${most.server} MB`, seed: 0 });
for (const line of service.complaints())
  findings.push({ what: "a complaint in the log", route: "", status: 0, body: line, seed: 0 });

/** Files of callers, in the spool and in the rooms of engines. */
const left = () =>
  ["spool", "scratch"]
    .flatMap((name) => readdirSync(join(folder, name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
for (let tries = 0; tries < 30 && left().length > 0; tries++) await new Promise((done) => setTimeout(done, 1000));
for (const path of left()) findings.push({ what: "left on the disk", route: "", status: 0, body: path, seed: 0 });

await service.stop();
await issuer.close();
rmSync(folder, { recursive: true, force: true });
console.log(
  `${made} requests; answers by status: ${[...counts]
    .sort()
    .map(([status, n]) => `${status}: ${n}`)
    .join(", ")}`,
);
console.log(
  `memory of the server, MB: ${firstMemoryMb} early, ${most.server} at most, ${last.server} at the end; with engines ${most.tree} at most`,
);
console.log(findings.length === 0 ? "nothing found" : `${findings.length} findings:`);
for (const { what, route, status, body, seed } of findings)
  console.log(`- ${what}: ${route} ${status} ${body.slice(0, 300)} (request ${seed})`);
process.exit(findings.length === 0 ? 0 : 1);
