// The cost of several processes: a 1 MP photograph compressed through an API process and a worker, compared with the
// embedded service; and two workers with one engine each, compared with one process with two. Alternating in one run.
// npm run bench:cluster [-- --packs=<folder of the data packs> --calls=40 --rounds=3]
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { parseArgs } from "node:util";
import { limits } from "../packages/contract/src/index.ts";
import { type Member, startCluster } from "../packages/server/src/testing/cluster.ts";
import { createCaller } from "../packages/server/src/testing/harness.ts";
import { median } from "./averages.ts";
import { dataPacks } from "./packs.ts";
import { writeInputs } from "./service/cases.ts";

const { values } = parseArgs({
  options: {
    packs: { type: "string" },
    calls: { type: "string", default: "40" },
    rounds: { type: "string", default: "3" },
  },
});
const calls = Number(values.calls);
const rounds = Number(values.rounds);
const connections = 4;

const folder = mkdtempSync(join(tmpdir(), "tintype-bench-"));
await writeInputs(join(await dataPacks(values.packs), "photos"), folder);
const photo = { name: "1mp.jpg", bytes: readFileSync(join(folder, "1mp.jpg")) };
const cluster = await startCluster();
const embedded = { DATABASE_URL: "", REDIS_URL: "", TINTYPE_BLOBS: "" };
/** A new caller whenever the credits of one are used up. */
const tokens = await Promise.all(Array.from({ length: 200 }, (_, i) => cluster.issuer.token(`caller-${i}`)));
let made = 0;
async function call({ baseUrl }: Member): Promise<void> {
  const token = tokens[Math.floor(made++ / (limits.hobby.credits / 2)) % tokens.length];
  const answer = await createCaller(baseUrl, token).run("compress", [photo], { quality: "75" });
  const { length } = await answer.bytes();
  if (answer.status !== 200 || length === 0) throw new Error(`${baseUrl} answered ${answer.status}`);
}
async function latency(member: Member): Promise<number> {
  const begin = performance.now();
  await call(member);
  return performance.now() - begin;
}
async function rate(member: Member): Promise<number> {
  const begin = performance.now();
  let left = calls;
  await Promise.all(
    Array.from({ length: connections }, async () => {
      while (left-- > 0) await call(member);
    }),
  );
  return calls / ((performance.now() - begin) / 1000);
}

try {
  const [one, api] = await Promise.all([cluster.start("all", embedded), cluster.start("api"), cluster.start("worker")]);
  const times = { embedded: [] as number[], cluster: [] as number[] };
  for (let i = 0; i < 5; i++) for (const member of [one, api]) await call(member); // warm-up
  for (let i = 0; i < calls; i++) {
    times.embedded.push(await latency(one));
    times.cluster.push(await latency(api));
  }
  const [p50, p50Cluster] = [median(times.embedded), median(times.cluster)];
  console.log(
    `1 MP compress, p50 of ${calls}: ${p50.toFixed(0)} ms embedded, ${p50Cluster.toFixed(0)} ms through API and worker, ${(p50Cluster - p50).toFixed(0)} ms more`,
  );
  await one.kill("SIGKILL");
  const [two] = await Promise.all([
    cluster.start("all", { ...embedded, TINTYPE_ENGINES: "2" }),
    cluster.start("worker"),
  ]);
  for (const member of [two, api]) await Promise.all(Array.from({ length: 4 }, () => call(member)));
  const ratios = [];
  const rates = { two: [] as number[], api: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    rates.two.push(await rate(two));
    rates.api.push(await rate(api));
    ratios.push((rates.api.at(-1) ?? 0) / (rates.two.at(-1) ?? 1));
  }
  console.log(
    `1 MP compress at ${connections} connections: ${median(rates.two).toFixed(2)} a second by one process with two engines, ` +
      `${median(rates.api).toFixed(2)} by two workers with one each, ${median(ratios).toFixed(2)} of it`,
  );
} finally {
  await cluster.close();
  rmSync(folder, { recursive: true, force: true });
}
