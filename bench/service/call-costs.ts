import type { RecordedEvent } from "../../packages/server/src/testing/call-recorder.ts";
import { median } from "../averages.ts";
import { type Case, cases } from "./cases.ts";
import { createCalls } from "./send-calls.ts";
import { type BenchedService, type CpuMs, type ServiceOptions, startApart, startEmbedded } from "./start-service.ts";

/** The stages of a call, each with the event that ends it, in order. One whose event is missing is part of the next. */
const stages: readonly [name: string, kind: RecordedEvent["kind"], event: RegExp, at: "start" | "end"][] = [
  ["connection, token", "statement", /./, "start"],
  ["admission", "statement", /insert into job_blobs/, "end"],
  ["form to the spool", "statement", /^begin/, "start"],
  ["charge and rows", "statement", /^commit/, "end"],
  ["queue and claim", "statement", /with open as materialized/, "end"],
  ["picture to the engine", "engine", /^run$/, "end"],
  ["engine", "engine", /^done$/, "end"],
  ["result to the spool", "statement", /with job as \(select id from jobs/, "start"],
  ["end of the file", "statement", /j\.version \+ 1, files_left/, "end"],
  ["further steps possible", "statement", /insert into result_digests/, "end"],
  ["delivery begins", "statement", /begun as \(/, "end"],
  ["delivery", "http", /^response$/, "end"],
  ["deletion", "statement", /removed_at = coalesce/, "end"],
];

type Call = { stages: Map<string, number>; events: RecordedEvent[] };

/** Splits the events of calls that came one after the other. */
function readCall(events: readonly RecordedEvent[]): Call {
  const begin = events.find(({ kind, name }) => kind === "http" && name === "request")?.start ?? 0;
  const own = events.filter(({ start }) => start >= begin);
  let last = begin;
  const lengths = new Map<string, number>();
  for (const [stage, kind, event, at] of stages) {
    const found = own.find((one) => one.kind === kind && one[at] >= last && event.test(one.name.trim()));
    if (!found) continue;
    lengths.set(stage, found[at] - last);
    last = found[at];
  }
  lengths.set("all", last - begin);
  return { stages: lengths, events: own.filter(({ start }) => start <= last) };
}

const count = (calls: readonly Call[], kind: RecordedEvent["kind"], names?: RegExp) =>
  median(
    calls.map(({ events }) => events.filter((one) => one.kind === kind && (!names || names.test(one.name))).length),
  );

type Costs = { name: string; service: BenchedService; cpu: Map<string, CpuMs[]>; calls: Map<string, Call[]> };

export type CallCostsOptions = Omit<ServiceOptions, "isRecorded"> & {
  rounds: number;
  /** Another checkout, which alternates with this one. */
  against?: string | undefined;
  isApart: boolean;
};

/**
 * What a call costs: CPU time by process at four connections, and for single calls the statements, the file calls and a
 * timeline. Services alternate in each round.
 */
export async function printCallCosts({ rounds, against, isApart, ...options }: CallCostsOptions): Promise<void> {
  const { issuer, folder } = options;
  const start = async (name: string, startService: typeof startEmbedded, root = options.root): Promise<Costs> => {
    const service = await startService({ ...options, root, isRecorded: true });
    return { name, service, cpu: new Map(), calls: new Map() };
  };
  const all = [
    await start("embedded", startEmbedded),
    ...(isApart ? [await start("apart", startApart)] : []),
    ...(against ? [await start("other checkout", startEmbedded, against)] : []),
  ];
  const calls = await createCalls({ issuer, folder });
  for (const one of cases) {
    const amounts = { amount: one.file === "1mp.jpg" ? 40 : 8, connections: 4 };
    for (const { service } of all) await calls.send(service.base, one, amounts); // warm-up
    for (let round = 0; round < rounds; round++)
      for (const costs of all) {
        await settled(costs.service);
        await calls.send(costs.service.base, one, amounts);
        const { cpuMs } = await settled(costs.service);
        const each = Object.entries(cpuMs).map(([part, ms]) => [part, ms / amounts.amount]);
        add(costs.cpu, one, Object.fromEntries(each) as CpuMs); // the same keys
        for (let call = 0; call < 5; call++) {
          await calls.sendOne(costs.service.base, one);
          add(costs.calls, one, readCall((await settled(costs.service)).events));
        }
      }
  }
  for (const costs of all) {
    console.log(`\n${costs.name}, ms of CPU a call at four connections, medians of ${rounds}`);
    console.table(Object.fromEntries(cases.map(({ name }) => [name, cpuRow(costs.cpu.get(name) ?? [])])));
    console.log(`${costs.name}, calls of one connection: their number of`);
    console.table(Object.fromEntries(cases.map(({ name }) => [name, countRow(costs.calls.get(name) ?? [])])));
    console.log(`${costs.name}, calls of one connection: timeline, ms`);
    console.table(timeline(costs));
    await costs.service.close();
  }
}

const add = <Value>(lists: Map<string, Value[]>, { name }: Case, value: Value) =>
  void lists.set(name, [...(lists.get(name) ?? []), value]);

/** What was recorded once the deletions after the last response are done. */
async function settled(service: BenchedService) {
  await new Promise((done) => setTimeout(done, 100));
  return service.take();
}

function cpuRow(runs: readonly CpuMs[]): Record<string, string> {
  const of = (part: keyof CpuMs) => median(runs.map((run) => run[part]));
  const parts = {
    api: of("api"),
    worker: of("worker"),
    engines: of("engines"),
    database: of("database"),
    redis: of("redis"),
  };
  const all = median(runs.map((run) => Object.values(run).reduce((sum, ms) => sum + ms, 0)));
  return Object.fromEntries(Object.entries({ ...parts, all }).map(([part, ms]) => [part, ms.toFixed(1)]));
}

const countRow = (calls: readonly Call[]): Record<string, number> => ({
  statements: count(calls, "statement"),
  "messages with the engine": count(calls, "engine"),
  "files opened": count(calls, "file", /^open$/),
  "links, renames, removals": count(calls, "file", /^(link|rename|unlink|rm|rmdir)$/),
  "other file calls": count(calls, "file", /^(?!open$|link$|rename$|unlink$|rm$|rmdir$)/),
});

const timeline = ({ calls }: Costs): Record<string, Record<string, string>> =>
  Object.fromEntries(
    [...stages.map(([stage]) => stage), "all"].map((stage) => [
      stage,
      Object.fromEntries(
        cases.map(({ name }) => [
          name,
          median((calls.get(name) ?? []).map((call) => call.stages.get(stage) ?? 0)).toFixed(1),
        ]),
      ),
    ]),
  );
