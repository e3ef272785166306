import type { AddressInfo } from "node:net";
import { DomainError } from "@tintype/contract";
import { expect, test } from "vitest";
import { systemClock } from "../platform/clock.ts";
import { createLog } from "../platform/log.ts";
import { createMemoryRateLimits } from "../platform/rate-limits/memory.ts";
import { createApp } from "./app.ts";

test("a call that comes while the server closes is answered by its route, with a problem that names a time", async () => {
  const app = await createApp({
    logger: createLog("silent"),
    secret: "a secret that is long enough for the tests",
    trustedProxies: undefined,
    isHttps: false,
    requestsPerMinute: 100,
    rateLimits: createMemoryRateLimits({ clock: systemClock }),
    networkOf: () => "network",
  });
  app.get("/full", async () => {
    throw new DomainError("full", { retryAfterSeconds: 5 });
  });
  const { promise: isClosing, resolve: tellClosing } = Promise.withResolvers<void>();
  const { promise: held, resolve: letGo } = Promise.withResolvers<void>();
  app.addHook("preClose", async () => {
    tellClosing();
    await held;
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  const closed = app.close();
  await isClosing;
  const answer = await fetch(`http://127.0.0.1:${port}/full`);
  expect([answer.status, answer.headers.get("retry-after")]).toEqual([503, "5"]);
  expect(await answer.json()).toMatchObject({ code: "full", retryable: true });
  letGo();
  await closed;
});
