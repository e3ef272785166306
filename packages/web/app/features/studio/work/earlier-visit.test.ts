// @vitest-environment jsdom
import { expect, test } from "vitest";
import { countEarlierImages, jobsKey, unsentKey } from "./earlier-visit.ts";

test("a page counts what a reload brings back: unsent images, and those of the latest batch", () => {
  let type = "navigate";
  performance.getEntriesByType = () => [{ type } as unknown as PerformanceEntry]; // jsdom has none
  expect(countEarlierImages()).toBe(0);
  sessionStorage.setItem(unsentKey, "/unsent/1\n/unsent/2");
  const jobs = [
    { batch: "1", count: 3 },
    { batch: "2", count: 150 },
    { batch: "2", count: 49 },
  ];
  localStorage.setItem(jobsKey, JSON.stringify(jobs));
  expect(countEarlierImages()).toBe(199);
  type = "reload";
  expect(countEarlierImages()).toBe(201);
  localStorage.setItem(jobsKey, "not ours");
  expect(countEarlierImages()).toBe(0);
});
