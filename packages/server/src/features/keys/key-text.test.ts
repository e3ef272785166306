import { crc32 } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Database } from "../../platform/db/database.ts";
import { createMemoryRateLimits } from "../../platform/rate-limits/memory.ts";
import { heldClock } from "../../testing/harness.ts";
import { makeKey, readKey } from "./key-text.ts";
import { createPersonByKey } from "./person-by-key.ts";

test("a key is tt_live_ or tt_test_, 30 characters of base 62, and 6 of their CRC-32", () => {
  for (const mode of ["live", "test"] as const) {
    const key = makeKey(mode);
    expect(key).toMatch(new RegExp(`^tt_${mode}_[0-9A-Za-z]{36}$`));
    const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
    const checksum = [...key.slice(-6)].reduce((sum, digit) => sum * 62 + digits.indexOf(digit), 0);
    expect(checksum).toBe(crc32(key.slice(0, -6)));
    expect(readKey(key)).toMatchObject({ mode, lastFour: key.slice(-4) });
    expect(JSON.stringify(readKey(key))).not.toContain(key.slice(8, -6));
  }
  expect(new Set(Array.from({ length: 100 }, () => makeKey("live"))).size).toBe(100);
});

const clock = heldClock();
const rateLimits = createMemoryRateLimits({ clock });
/** A database that must not be queried. */
const unasked = new Proxy({} as Database, {
  get() {
    throw new Error("the database was asked");
  },
});

test("a key with a wrong character, a missing one or another mode is refused without asking the database", async () => {
  const personByKey = createPersonByKey({ db: unasked, clock, rateLimits, callsPerMinute: 10 });
  const ask = (bearer: string) => personByKey(bearer, { network: "network:x", onCounted() {} });
  const letters = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  await fc.assert(
    fc.asyncProperty(fc.integer({ min: 8, max: 43 }), fc.constantFrom(...letters), async (at, letter) => {
      const key = makeKey("live");
      fc.pre(key[at] !== letter);
      await expect(ask(key.slice(0, at) + letter + key.slice(at + 1))).rejects.toMatchObject({ code: "unauthorized" });
    }),
  );
  const key = makeKey("live");
  for (const wrong of [key.slice(0, -1), `${key}0`, key.replace("live", "test"), "tt_live_", "tt_"])
    await expect(ask(wrong)).rejects.toMatchObject({ code: "unauthorized" });
  await expect(ask(key)).rejects.toThrow("the database was asked");
});

test("a bearer that is no key is left to others", async () => {
  const personByKey = createPersonByKey({ db: unasked, clock, rateLimits, callsPerMinute: 10 });
  expect(await personByKey("eyJhbGciOiJSUzI1NiJ9.e30.x", { network: "network:x", onCounted() {} })).toBeUndefined();
});
