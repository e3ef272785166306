import type { JobEvent, JobState } from "@tintype/contract";
import { expect, test } from "vitest";
import type { Caller } from "../../../http/caller.ts";
import type { Jobs } from "../jobs.ts";
import type { JobRecord } from "../record/job.ts";
import type { Notice } from "../record/watch.ts";
import { createJobStream } from "./job-stream.ts";

/** A job whose row changes with each read: two files end together with the job, in one version. */
function streamOf(versions: { version: number; state: JobState; files: string[] }[], seen = Number.NaN) {
  const received: { id: number; event: JobEvent }[] = [];
  let at = -1;
  let receive: (notice: Notice) => void = () => {};
  const jobs = {
    watch: {
      async watch(_: string, listener: typeof receive) {
        receive = listener;
        return () => {};
      },
    },
    async find() {
      at = Math.min(at + 1, versions.length - 1);
      if (at < versions.length - 1) queueMicrotask(() => receive({ kind: "refresh" }));
      return { id: "job-1", owner: "person:1", version: versions[at]?.version };
    },
    async view() {
      const { state, files = [] } = versions[at] ?? {};
      return { id: "job-1", state, files: files.map((file, index) => ({ index, state: file, progress: 0 })) };
    },
  } as unknown as Jobs; // only what a stream uses
  const stream = createJobStream({
    jobs,
    caller: {} as Caller,
    send: (event, id) => received.push({ id, event }),
    seen,
  });
  return { received, end: stream.run({ id: "job-1", owner: "person:1" } as JobRecord) };
}

const versions = [
  { version: 6, state: "running" as const, files: ["working", "working"] },
  { version: 7, state: "done" as const, files: ["done", "done"] },
];

test("a version's number comes with the last of its events: a stream that breaks between them begins again with a snapshot", async () => {
  const { received, end } = streamOf(versions);
  await end;
  expect(received.map(({ id, event }) => [id, event.type])).toEqual([
    [6, "snapshot"],
    [6, "file"],
    [6, "file"],
    [7, "job"],
  ]);
  const again = streamOf(versions.slice(1), 6);
  await again.end;
  expect(again.received.map(({ id, event }) => [id, event.type])).toEqual([[7, "snapshot"]]);
});
