// Two API processes and two workers on a real PostgreSQL, Redis and S3 server under mixed calls, hostile files and
// killed processes. Exits with 1 if a caller saw an unexpected status, memory grew, a blob was left behind, or the
// ledger does not match its counters. npm run soak [-- --minutes=15]
import { setTimeout as wait } from "node:timers/promises";
import { parseArgs } from "node:util";
import { rowsOf } from "../packages/server/src/platform/db/database.ts";
import { type Member, startCluster } from "../packages/server/src/testing/cluster.ts";
import { createCaller, type TestFile } from "../packages/server/src/testing/harness.ts";
import { noisePng, samplePng } from "../packages/server/src/testing/pictures.ts";
import { startS3 } from "../packages/server/src/testing/s3.ts";
import { treeMemoryMb } from "./service/processes.ts";

const { values } = parseArgs({ options: { minutes: { type: "string", default: "15" } } });
const minutes = Number(values.minutes);
const callers = 6;
const killEveryMs = Math.min(60_000, (minutes * 60_000) / 5);
/** Maximum memory growth of a process that was never killed, from the first third of the run to its end. */
const mostGrowth = 1.25;
/** Statuses that callers may get: refused pictures, limits, and a cluster that loses processes. */
const expected = new Set([200, 202, 400, 413, 415, 422, 429, 503]);

const [cluster, s3] = await Promise.all([startCluster(), startS3()]);
const environment = {
  TINTYPE_BLOBS: "",
  S3_BUCKET: s3.bucket,
  S3_ENDPOINT: s3.endpoint,
  AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
  AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
  TINTYPE_LOG_LEVEL: "fatal",
};
const start = (role: "api" | "worker") => cluster.start(role, environment);
/** The first of each role lives throughout; the second is killed and restarted repeatedly. */
const [firstApi, firstWorker] = await Promise.all([start("api"), start("worker")]);
const mortal: { role: "api" | "worker"; member: Member | undefined }[] = await Promise.all(
  (["api", "worker"] as const).map(async (role) => ({ role, member: await start(role) })),
);

const good: TestFile[] = [
  { name: "small.png", bytes: samplePng(60, 40) },
  { name: "middle.png", bytes: samplePng(640, 480) },
  { name: "noise.png", bytes: noisePng(400, 300) },
];
const [small = { name: "", bytes: new Uint8Array() }] = good;
const hostile: TestFile[] = [
  { name: "empty.png", bytes: new Uint8Array() },
  { name: "text.jpg", bytes: Buffer.from("no picture at all") },
  { name: "cut.png", bytes: small.bytes.subarray(0, Math.floor(small.bytes.length / 2)) },
  { name: "huge.svg", bytes: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg" width="90000" height="90000"/>') },
  { name: "../../etc/passwd", bytes: small.bytes },
];
const tasks: [task: string, fields: Record<string, string>][] = [
  ["compress", { quality: "60" }],
  ["resize", { width: "200", method: "fit" }],
  ["convert", { target_format: "webp" }],
  ["convert", { target_format: "png" }],
];

const answers = new Map<string, number>();
const unexpected: string[] = [];
let cutOff = 0;
const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(Math.random() * items.length)] as Item; // none is empty
let isOver = false;
/** Within the credits of a Pro day, even with four pictures per call. */
const callsOfAPerson = 200;
async function somebodyNew(subject: string): Promise<string> {
  const token = await cluster.issuer.token(subject);
  await (await createCaller(firstApi.baseUrl, token).call("/api/user-info")).bytes();
  await cluster.db.execute(`update accounts set paid_plan = 'pro' where subject = '${subject}'`);
  return token;
}
async function beCaller(index: number): Promise<void> {
  let token = "";
  for (let i = 0; !isOver; i++) {
    if (i % callsOfAPerson === 0) token = await somebodyNew(`soak-${index}-${i}`);
    const api = i % 2 === 0 ? firstApi : (mortal[0]?.member ?? firstApi);
    const caller = createCaller(api.baseUrl, token);
    const [task, fields] = pick(tasks);
    const files = Array.from({ length: Math.random() < 0.2 ? 4 : 1 }, () => pick(Math.random() < 0.2 ? hostile : good));
    const isAsync = Math.random() < 0.3;
    try {
      const answer = await caller.run(task, files, fields, isAsync ? { prefer: "respond-async" } : {});
      const body = await answer.bytes();
      answers.set(`${answer.status}`, (answers.get(`${answer.status}`) ?? 0) + 1);
      if (!expected.has(answer.status))
        unexpected.push(
          `${task} ${files.map(({ name }) => name)}: ${answer.status} ${Buffer.from(body)}`.slice(0, 400),
        );
      const job = answer.headers.get("location");
      if (job && Math.random() < 0.3) await (await caller.call(job, { method: "DELETE" })).bytes();
      else if (job && Math.random() < 0.7) await fetchResult(caller, job);
    } catch (problem) {
      // Only a killed process may cut off a call.
      if (api === firstApi) unexpected.push(`${task}: ${problem}`);
      cutOff++;
      await wait(200);
    }
  }
}
async function fetchResult(caller: ReturnType<typeof createCaller>, job: string): Promise<void> {
  for (let looks = 0; looks < 300; looks++) {
    const { state } = (await (await caller.call(job)).json()) as { state: string };
    if (state === "done" || state === "failed") break;
    await wait(100);
  }
  await (await caller.call(`${job}/result`)).bytes();
}

const memory: { api: number; worker: number }[] = [];
const watch = setInterval(() => {
  memory.push({ api: treeMemoryMb(firstApi.pid), worker: treeMemoryMb(firstWorker.pid) });
}, 2_000);
const begin = performance.now();
const calling = Promise.all(Array.from({ length: callers }, (_, i) => beCaller(i)));
let kills = 0;
while (performance.now() - begin < minutes * 60_000) {
  await wait(Math.min(killEveryMs, Math.max(0, minutes * 60_000 - (performance.now() - begin))));
  const victim = mortal[kills % 2];
  if (!victim || performance.now() - begin > minutes * 60_000 - 10_000) continue;
  const { member } = victim;
  victim.member = undefined;
  await member?.kill("SIGKILL");
  victim.member = await start(victim.role);
  kills++;
}
isOver = true;
await calling;
clearInterval(watch);

type Sums = { unfinished: number; twice: number; wrong: number; files: number };
const sums = async () =>
  (
    await rowsOf<Sums>(
      cluster.db.execute(`
      select (select count(*)::int from jobs where state in ('queued', 'running')) as unfinished,
        (select count(*)::int from (select 1 from credit_entries where kind = 'charge'
          group by job_id, file_index having count(*) > 1) doubled) as twice,
        (select count(*)::int from allowances a where total_used <>
          (select coalesce(sum(credits), 0) from credit_entries e where e.holder = a.holder or e.network = a.holder)) as wrong,
        (select count(*)::int from job_files where state = 'done') as files`),
    )
  )[0];
const patience = performance.now() + 60_000;
while (((await sums())?.unfinished ?? 0) > 0 && performance.now() < patience) await wait(500);
// Results that were never fetched are kept for twelve minutes; expire them now.
await cluster.db.execute("update job_blobs set delete_after = now() where delete_after is not null");
const kept = async () =>
  (await rowsOf<{ kept: number }>(cluster.db.execute("select count(*)::int as kept from job_blobs")))[0]?.kept ?? 0;
const removal = performance.now() + 90_000;
while ((await kept()) > 0 && performance.now() < removal) await wait(500);

const objects = await s3.count();
const end = await sums();
const third = Math.max(1, Math.floor(memory.length / 3));
const mean = (part: typeof memory, role: "api" | "worker") =>
  part.reduce((sum, one) => sum + one[role], 0) / Math.max(1, part.length);
const problems = [
  ...unexpected,
  ...(end?.unfinished ? [`${end.unfinished} jobs did not end`] : []),
  ...(end?.twice ? [`${end.twice} files were charged twice`] : []),
  ...(end?.wrong ? [`${end.wrong} counters differ from the ledger`] : []),
  ...((await kept()) > 0 ? [`${await kept()} rows still name pictures`] : []),
  ...(objects > 0 ? [`${objects} objects stayed in the bucket`] : []),
];
for (const role of ["api", "worker"] as const) {
  const [early, late] = [mean(memory.slice(0, third), role), mean(memory.slice(-third), role)];
  console.log(`${role}: ${early.toFixed(0)} MB in the first third, ${late.toFixed(0)} MB in the last`);
  if (late > early * mostGrowth) problems.push(`the memory of the ${role} process grew`);
}
console.log(
  `${minutes} minutes, ${kills} processes killed, ${end?.files} files done, ${cutOff} calls cut off by a kill`,
);
console.log(`answers: ${[...answers].map(([status, count]) => `${count} x ${status}`).join(", ")}`);
await cluster.close();
await s3.close();
for (const problem of problems.slice(0, 20)) console.error(problem);
console.log(problems.length === 0 ? "The soak passed." : `${problems.length} problems.`);
process.exit(problems.length === 0 ? 0 : 1);
