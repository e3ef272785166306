// Fuzzes every decoder (through the engine) and every route, including the identity provider's, with mutated real files and
// mutated requests. Exits with 1 if anything was found. The inputs that found it are kept.
// npm run fuzz -- [--minutes 10] [--seed N] [--files folder] [--findings folder]
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { dataPacks } from "../../bench/packs.ts";
import { apiRequest, type FuzzRequest } from "./api-requests.ts";
import { identityRequest } from "./identity-requests.ts";
import { pick, type Random, seededRandom } from "./mutate.ts";
import { madeSeeds, realSeeds } from "./seeds.ts";
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
/** No legitimate response to a file this small takes longer. The engine's own limits are higher. */
const slowMs = 60_000;
const mostMemoryMb = 1500;

const seeds = [...(await madeSeeds()), ...realSeeds(await dataPacks(values.files), { maxBytes: 300_000 })];
const folder = mkdtempSync(join(tmpdir(), "tintype-fuzz-"));
const service = await startService({ folder });
console.log(`seed ${startSeed}, ${seeds.length} files, findings go to ${values.findings}`);

type Finding = { what: string; route: string; status: number; body: string; seed: number };
const findings: Finding[] = [];
const counts = new Map<string, number>();
/** Jobs in progress, with their callers' credentials. */
const jobs: { path: string; headers: Record<string, string> }[] = [];
let made = 0;

/** Share of requests that go to the identity provider. */
const identityShare = 0.12;

function requestFor(random: Random): FuzzRequest {
  if (random() < identityShare) return identityRequest({ random, origin: service.url });
  const job = jobs.length > 0 && random() < 0.7 ? pick(random, jobs).path.split("/").at(-1) : undefined;
  return apiRequest({ random, seeds, job });
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
  const isIdentity = path.startsWith("/idp");
  const { token, address } = isIdentity ? await service.visitor(number) : await service.caller(number);
  const withToken = random() < (isIdentity ? 0.8 : 0.95);
  const begin = performance.now();
  const route = `${init.method} ${path.replace(/[?].*/, "").slice(0, 80)}`;
  try {
    const answer = await fetch(service.url + path, {
      ...init,
      headers: {
        "x-forwarded-for": address,
        ...init.headers,
        ...(withToken ? { authorization: `Bearer ${token}` } : {}),
      },
      signal: AbortSignal.timeout(slowMs * 3),
      redirect: "manual",
    });
    const bytes = await answer.bytes();
    const isText = /json|text/.test(answer.headers.get("content-type") ?? "");
    const body = isText ? new TextDecoder().decode(bytes.subarray(0, 2000)) : "";
    const key = `${answer.status}`;
    counts.set(key, (counts.get(key) ?? 0) + 1);
    const place = answer.headers.get("location");
    const cookie = answer.headers.getSetCookie()[0]?.split(";")[0] ?? "";
    if (answer.status === 202 && place)
      jobs.push({ path: place, headers: withToken ? { authorization: `Bearer ${token}` } : { cookie } });
    // A missing model and a full queue are valid responses.
    const isBusy = answer.status === 503 && answer.headers.has("retry-after");
    if (answer.status >= 500 && !isBusy)
      await keep({ what: "an error of ours", route, status: answer.status, body }, number, init);
    if (/took-too-long/.test(body))
      await keep({ what: "an engine killed by time", route, status: answer.status, body }, number, init);
    if (performance.now() - begin > slowMs)
      await keep({ what: "a slow answer", route, status: answer.status, body }, number, init);
  } catch (problem) {
    const cause = problem instanceof Error ? `${problem.message} ${String(problem.cause ?? "")}` : String(problem);
    // fetch itself rejects some of these requests.
    if (/Invalid URL|ByteString|invalid header/i.test(cause)) return;
    await keep({ what: "no answer", route, status: 0, body: cause }, number, init);
  }
  if (jobs.length > 30) await drop(jobs.shift());
}

async function drop(job: (typeof jobs)[number] | undefined): Promise<void> {
  if (!job) return;
  const answer = await fetch(service.url + job.path, { method: "DELETE", headers: job.headers });
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

/** Callers' files in the spool and in the engines' scratch folders. */
const left = () =>
  ["spool", "scratch"]
    .flatMap((name) => readdirSync(join(folder, name), { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name));
for (let tries = 0; tries < 30 && left().length > 0; tries++) await new Promise((done) => setTimeout(done, 1000));
for (const path of left()) findings.push({ what: "left on the disk", route: "", status: 0, body: path, seed: 0 });

await service.stop();
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
