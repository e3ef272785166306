import { expect, test } from "vitest";
import { type FileRecord, type JobRecord, jobView } from "./job.ts";

test("progress is told in thousandths, whatever fractions it is made of, with the name of its stage", () => {
  const stages = [undefined, "enlarging", "of-tomorrow", undefined];
  const files = [0.1, 0.2, 0.3, 1 / 3].map((progress, index) => ({
    ...{ index, state: "working", progress, notes: [] },
    ...(stages[index] === undefined ? {} : { stage: stages[index] }),
  }));
  const record = {
    ...{ id: "job_1", operation: "compress", state: "running", steps: [], createdAt: new Date(0) },
    files: files as unknown as FileRecord[], // only what the view reads of a file that is being worked on
  } as unknown as JobRecord;
  const view = jobView(record);
  expect([view.progress, ...view.files.map(({ progress }) => progress)]).toEqual([0.233, 0.1, 0.2, 0.3, 0.333]);
  expect(view.files.map(({ stage }) => stage)).toEqual([undefined, "Enlarging", "of-tomorrow", undefined]);
});
