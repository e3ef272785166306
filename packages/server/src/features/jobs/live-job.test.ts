import type { JobEvent } from "@tintype/contract";
import { expect, test } from "vitest";
import type { FileRecord, JobRecord } from "./job.ts";
import { LiveJob } from "./live-job.ts";

function watched() {
  const file: FileRecord = {
    ...{ name: "a.png", sizeBytes: 1, input: "in-0", output: "out-0" },
    ...{ state: "working", progress: 0, notes: [], delivery: "none" },
  };
  const record: JobRecord = {
    ...{ id: "job_1", owner: "a", tier: "guest", operation: "remove-background", options: {}, state: "running" },
    ...{ waited: false, fast: false, charged: 1, replay: false, files: [file], attempt: 1 },
    ...{ createdAt: new Date(0), finishedAt: null, removedAt: null },
  };
  const job = new LiveJob(record, undefined);
  const heard: JobEvent[] = [];
  job.watch((event) => heard.push(event));
  const tell = (change: Partial<FileRecord>) => {
    Object.assign(file, change);
    job.tellFile(0);
  };
  const files = () => heard.flatMap((event) => (event.type === "file" ? event.file : []));
  return { tell, files };
}

test("many small steps are told as few", () => {
  const { tell, files } = watched();
  for (let step = 1; step <= 50; step += 1) tell({ progress: step / 100 });
  expect(files().length).toBeLessThan(5);
});

test("what is being done, and the end, are told however soon they follow", () => {
  const { tell, files } = watched();
  tell({ progress: 0.05 });
  tell({ stage: "Loading the model" });
  tell({ stage: "Finding the subject" });
  tell({ state: "done", progress: 1 });
  expect(files().map(({ stage, state }) => [stage, state])).toEqual([
    [undefined, "working"],
    ["Loading the model", "working"],
    ["Finding the subject", "working"],
    ["Finding the subject", "done"],
  ]);
});
