import fc from "fast-check";
import { expect, test } from "vitest";
import { FairQueue, type Lane } from "./fair-queue.ts";

const drain = (queue: FairQueue<string>) => {
  const taken: string[] = [];
  for (let item = queue.take(); item !== undefined; item = queue.take()) taken.push(item);
  return taken;
};

test("a single picture waits for one of a batch of two hundred, not for all", () => {
  const queue = new FairQueue<string>();
  for (let i = 0; i < 200; i++) queue.add(`batch ${i}`, { owner: "a", lane: "normal" });
  queue.add("single", { owner: "b", lane: "normal" });
  expect(drain(queue).indexOf("single")).toBe(1);
});

test("the fast lane goes first and the normal one still moves", () => {
  const queue = new FairQueue<string>();
  for (let i = 0; i < 50; i++) {
    queue.add("fast", { owner: "a", lane: "fast" });
    queue.add("normal", { owner: "b", lane: "normal" });
  }
  const first = Array.from({ length: 50 }, () => queue.take());
  expect(first.filter((item) => item === "fast")).toHaveLength(40);
});

test("nothing is lost or doubled, and each owner's order is kept", () => {
  const item = fc.record({ owner: fc.constantFrom("a", "b", "c"), lane: fc.constantFrom<Lane>("fast", "normal") });
  fc.assert(
    fc.property(fc.array(item), (items) => {
      const queue = new FairQueue<string>();
      items.forEach((one, i) => {
        queue.add(`${one.owner}${one.lane}:${i}`, one);
      });
      expect(queue.size).toBe(items.length);
      const taken = drain(queue);
      expect(new Set(taken).size).toBe(items.length);
      for (const who of new Set(taken.map((one) => one.split(":")[0]))) {
        const order = taken.filter((one) => one.startsWith(`${who}:`)).map((one) => Number(one.split(":")[1]));
        expect(order).toEqual(order.toSorted((x, y) => x - y));
      }
      expect(queue.size).toBe(0);
    }),
  );
});

test("an item that was taken out does not come", () => {
  const queue = new FairQueue<string>();
  queue.add("x", { owner: "a", lane: "normal" });
  expect(queue.remove("x")).toBe(true);
  expect(queue.remove("x")).toBe(false);
  expect(queue.take()).toBeUndefined();
});
