// How much of raw sharp's throughput the whole service keeps: HTTP, upload, credits, jobs and engine processes
// included. npm run bench:service [folder of the data packs] [seconds a round] [rounds]
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { argv } from "node:process";
import { fileURLToPath } from "node:url";
import autocannon from "autocannon";
import { limits } from "../packages/contract/src/index.ts";
import serverPackage from "../packages/server/package.json" with { type: "json" };
import { startIssuer } from "../packages/server/src/testing/issuer.ts";
import { median } from "./averages.ts";
import { dataPacks } from "./packs.ts";
import { type Case, cases, writeInputs } from "./service/cases.ts";
import { output, startScript, stop, treeMemoryMb } from "./service/processes.ts";

const packs = await dataPacks(argv[2]);
const seconds = Number(argv[3] ?? 8);
const rounds = Number(argv[4] ?? 3);
const connections = 4;
const script = (path: string) => fileURLToPath(new URL(path, import.meta.url));

const folder = mkdtempSync(join(tmpdir(), "tintype-bench-"));
await writeInputs(join(packs, "photos"), folder);
const issuer = await startIssuer();
const port = 20_000 + Math.floor(Math.random() * 20_000);
/** As in `npm start`. */
const [, ...flags] = serverPackage.scripts.start.split(" ").slice(0, -1);
const service = await startScript(script("../packages/server/src/main.ts"), {
  flags,
  env: {
    PORT: String(port),
    TINTYPE_DATA: join(folder, "data"),
    TINTYPE_LOG_LEVEL: "info",
    TINTYPE_SITE: "false",
    RATE_LIMIT_PER_MINUTE: "1000000",
    OIDC_ISSUER: issuer.url,
    OIDC_AUDIENCE: issuer.audience,
    OIDC_JWKS_URL: `${issuer.url}/jwks`,
  },
});
service.child.stdout?.resume();
const base = `http://localhost:${port}`;
for (let ready = false; !ready; )
  ready = await fetch(`${base}/healthz`).then(
    ({ ok }) => ok,
    () => false,
  );
const peer = await startScript(script("service/peer.ts"), { args: [folder] });

/** Each person has a hundred credits: a new one every hundred calls. */
const tokens = await Promise.all(Array.from({ length: 400 }, (_, i) => issuer.token(`caller-${i}`)));
let calls = 0;
const nextToken = () => tokens[Math.floor(calls++ / limits.hobby.credits) % tokens.length] ?? "";

const boundary = "----tintypebench";
const formOf = ({ file, fields }: Case) =>
  Buffer.concat([
    ...Object.entries(fields).map(([name, value]) =>
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
    ),
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${file}"\r\nContent-Type: image/jpeg\r\n\r\n`,
    ),
    readFileSync(join(folder, file)),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);

/** A fixed number of calls and how long they took: with a fixed duration, those in flight at its end would not count. */
async function load(url: string, { amount, ...request }: Partial<autocannon.Request> & { amount: number }) {
  const begin = performance.now();
  let end = begin;
  const result = await autocannon({
    url,
    connections,
    amount,
    timeout: 60,
    requests: [request],
    // It checks its clock once a second: its duration is up to a second too long.
    setupClient: (client) =>
      client.on("response", () => {
        end = performance.now();
      }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return amount / ((end - begin) / 1000);
}
const rawRate = async (index: number, settings: "ours" | "thorough" | "linear" | "peer") =>
  Number(
    await output(script("service/raw.ts"), [folder, String(index), settings, String(seconds), String(connections)]),
  );
const measure = {
  ours: (one: Case, amount: number) =>
    load(`${base}/api/${one.task}/`, {
      amount,
      method: "POST",
      body: formOf(one),
      headers: { "content-type": `multipart/form-data; boundary=${boundary}` },
      setupRequest: (request) => ({
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${nextToken()}` },
      }),
    }),
  peer: ({ peer: { modifiers }, file }: Case, amount: number) => load(`${peer.line}/${modifiers}/${file}`, { amount }),
};

const memory = () => Math.round(treeMemoryMb(service.child.pid ?? 0));
const before = memory();
let most = before;
const watch = setInterval(() => {
  most = Math.max(most, memory());
}, 250);
const rows = [];
for (const [index, one] of cases.entries()) {
  const rates = {
    raw: [] as number[],
    thorough: [] as number[],
    linear: [] as number[],
    ours: [] as number[],
    rawAsPeer: [] as number[],
    peer: [] as number[],
  };
  // Alternating within each round: a machine that slows down slows all of them.
  for (let round = 0; round < rounds; round++) {
    const raw = await rawRate(index, "ours");
    const rawAsPeer = await rawRate(index, "peer");
    const amountAt = (rate: number) => Math.max(4 * connections, Math.ceil(rate * seconds));
    rates.raw.push(raw);
    rates.ours.push(await measure.ours(one, amountAt(raw)));
    rates.thorough.push(await rawRate(index, "thorough"));
    if (one.rawLinear) rates.linear.push(await rawRate(index, "linear"));
    rates.rawAsPeer.push(rawAsPeer);
    rates.peer.push(await measure.peer(one, amountAt(rawAsPeer)));
  }
  const ratios = (mine: number[], raw: number[]) => median(mine.map((rate, i) => rate / (raw[i] ?? 1)));
  rows.push({
    case: one.name,
    "raw sharp, /s": median(rates.raw).toFixed(2),
    "Tintype, /s": median(rates.ours).toFixed(2),
    "Tintype / raw": ratios(rates.ours, rates.raw).toFixed(2),
    "Tintype / sharp's mozjpeg": ratios(rates.ours, rates.thorough).toFixed(2),
    "Tintype / sharp in linear light": one.rawLinear ? ratios(rates.ours, rates.linear).toFixed(2) : "",
    "raw sharp as ipx, /s": median(rates.rawAsPeer).toFixed(2),
    "ipx, /s": median(rates.peer).toFixed(2),
    "ipx / raw": ratios(rates.peer, rates.rawAsPeer).toFixed(2),
  });
  console.error(rows.at(-1)); // printed as it comes: the whole run takes minutes
}
clearInterval(watch);
await new Promise((done) => setTimeout(done, 5000));
console.log(`${connections} connections, ${rounds} rounds of ${seconds} s each, medians; node ${process.version}`);
console.table(rows);
console.log(
  `Memory of the whole process tree, MB: ${before} before, ${most} at most under load, ${memory()} five seconds after.`,
);
await stop(service.child);
await stop(peer.child);
await issuer.close();
rmSync(folder, { recursive: true, force: true });
