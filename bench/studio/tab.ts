import { readFile } from "node:fs/promises";
import type { Browser, CDPSession, Page } from "playwright-core";

/** CPU time excludes what other programs took of the machine. */
type Spent = { wallMs: number; cpuMs: number };
export type Trace = {
  /** Of the main thread. */
  tasks: readonly Spent[];
  /** The main thread's work from one performance mark `frame` of the page to the next. */
  frames: readonly Spent[];
};
type Memory = { rss: number; peak: number; pss: number };

export type Tab = {
  trace(run: () => Promise<void>): Promise<Trace>;
  noteMemory(name: string): void;
  /** Bytes. PSS divides a shared page among its processes; RSS counts it in full. */
  memory: Record<string, Memory>;
  stop(): void;
};

type TraceEvent = {
  name: string;
  ph: string;
  pid: number;
  tid: number;
  /** Microseconds. */
  ts: number;
  dur?: number;
  tdur?: number;
};

const categories = ["disabled-by-default-devtools.timeline", "blink.user_timing"];
const sampleMs = 250;

/** A page's tab, as the system and the browser's trace see its process. */
export async function watchTab(browser: Browser, page: Page): Promise<Tab> {
  const session = await browser.newBrowserCDPSession();
  const marked = await traceEvents(session, () => page.evaluate(() => void performance.mark("watched")));
  const pid = marked.find(({ name }) => name === "watched")?.pid;
  if (pid === undefined) throw new Error("The trace does not show the page");

  const memory: Record<string, Memory> = {};
  let latest: Memory = { rss: 0, peak: 0, pss: 0 };
  const sample = async () => {
    const rollup = await readFile(`/proc/${pid}/smaps_rollup`, "utf8");
    const bytesOf = (field: string) => Number(new RegExp(`^${field}: +(\\d+) kB`, "m").exec(rollup)?.[1]) * 1024;
    const rss = bytesOf("Rss");
    latest = { rss, peak: Math.max(rss, latest.peak), pss: bytesOf("Pss") };
  };
  await sample();
  const sampling = setInterval(() => void sample().catch(() => clearInterval(sampling)), sampleMs);

  return {
    memory,
    noteMemory(name) {
      memory[name] = latest;
    },
    stop: () => clearInterval(sampling),
    async trace(run) {
      const events = await traceEvents(session, run);
      return traceOf(events.filter((event) => event.pid === pid && event.tid === pid).toSorted((a, b) => a.ts - b.ts));
    },
  };
}

async function traceEvents(session: CDPSession, run: () => Promise<void>): Promise<TraceEvent[]> {
  const events: TraceEvent[] = [];
  const collect = ({ value }: { value: object[] }) => events.push(...(value as TraceEvent[])); // the trace format's
  session.on("Tracing.dataCollected", collect);
  const complete = new Promise((resolve) => session.once("Tracing.tracingComplete", resolve));
  await session.send("Tracing.start", {
    traceConfig: { includedCategories: categories, excludedCategories: ["*"] },
  });
  await run();
  await session.send("Tracing.end");
  await complete;
  session.off("Tracing.dataCollected", collect);
  return events;
}

/** Of the main thread's events, in order of time. */
function traceOf(events: readonly TraceEvent[]): Trace {
  const tasks = events.filter(({ name, ph }) => name === "RunTask" && ph === "X");
  const marks = events.filter(({ name }) => name === "frame").map(({ ts }) => ts);
  const frames = marks.slice(1).map((end, index) => {
    const begin = marks[index] ?? end;
    const within = tasks.filter(({ ts }) => ts >= begin && ts < end);
    return { wallMs: (end - begin) / 1000, cpuMs: within.reduce((sum, { tdur = 0 }) => sum + tdur / 1000, 0) };
  });
  return { tasks: tasks.map(({ dur = 0, tdur = 0 }) => ({ wallMs: dur / 1000, cpuMs: tdur / 1000 })), frames };
}
