import { expect, test } from "vitest";
import { createTokenCache } from "./token-cache.ts";

const minute = 60_000;
/** A token with that lifetime by its own claims; the machine's clock does not matter. */
const tokenOf = (number: number, lifetimeMs: number) =>
  `h.${btoa(JSON.stringify({ iat: 1000, exp: 1000 + lifetimeMs / 1000, number }))}.s`;

function cacheOf(lifetimeMs: number) {
  let nowMs = 0;
  let fetched = 0;
  const cache = createTokenCache({
    now: () => nowMs,
    async fetchToken() {
      fetched += 1;
      return tokenOf(fetched, lifetimeMs);
    },
  });
  return { cache, pass: (ms: number) => (nowMs += ms), fetched: () => fetched };
}

test("a token is kept until five minutes before its end, then renewed before it is refused", async () => {
  const { cache, pass, fetched } = cacheOf(60 * minute);
  await cache.get();
  pass(54 * minute);
  await cache.get();
  expect(fetched()).toBe(1);
  pass(2 * minute);
  await cache.get();
  expect(fetched()).toBe(2);
});

test("a short-lived token is renewed at half its life", async () => {
  const { cache, pass, fetched } = cacheOf(6 * minute);
  await cache.get();
  pass(2 * minute);
  await cache.get();
  expect(fetched()).toBe(1);
  pass(2 * minute);
  await cache.get();
  expect(fetched()).toBe(2);
});

test("calls that come together share one request, and a refused token is not given again", async () => {
  const { cache, fetched } = cacheOf(60 * minute);
  const [one, other] = await Promise.all([cache.get(), cache.get()]);
  expect(one).toBe(other);
  expect(fetched()).toBe(1);
  expect(await cache.get(one)).not.toBe(one);
  expect(fetched()).toBe(2);
});

test("a token that does not tell its life is asked for each time", async () => {
  let fetched = 0;
  const cache = createTokenCache({
    now: () => 0,
    async fetchToken() {
      fetched += 1;
      return "opaque";
    },
  });
  await cache.get();
  await cache.get();
  expect(fetched).toBe(2);
});
