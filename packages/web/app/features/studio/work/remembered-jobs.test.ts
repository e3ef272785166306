import { expect, test } from "vitest";
import { jobsKey } from "./earlier-visit.ts";
import { claimJob, createRememberedJobs } from "./remembered-jobs.ts";

function storageOf(first?: string) {
  const values = new Map(first === undefined ? [] : [[jobsKey, first]]);
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  };
}

test("jobs are remembered newest last, once each, and forgotten", () => {
  const jobs = createRememberedJobs(storageOf());
  jobs.add({ jobId: "1", tool: "compress" });
  jobs.add({ jobId: "2", tool: "resize" });
  jobs.add({ jobId: "1", tool: "compress" });
  expect(jobs.list().map(({ jobId }) => jobId)).toEqual(["2", "1"]);
  jobs.remove("2");
  expect(jobs.list()).toEqual([{ jobId: "1", tool: "compress" }]);
});

test.each(["not json", '{"jobId":"1"}', "[1, null]"])(
  "a text that another program left there (%s) is not believed",
  (value) => {
    expect(createRememberedJobs(storageOf(value)).list()).toEqual([]);
  },
);

test("storage that is denied costs the memory, not the page", () => {
  const denied = () => {
    throw new DOMException("denied", "SecurityError");
  };
  const jobs = createRememberedJobs({ getItem: denied, setItem: denied });
  jobs.add({ jobId: "1", tool: "compress" });
  expect(jobs.list()).toEqual([]);
});

test("a job that a page before still holds is waited for, and one that another tab holds is not had", async () => {
  const release = await claimJob("held");
  expect(await claimJob("held")).toBeUndefined();
  expect(await claimJob("held", AbortSignal.timeout(20))).toBeUndefined();
  const patient = claimJob("held", AbortSignal.timeout(20_000));
  release?.();
  expect(await patient).toBeTypeOf("function");
});
