import { setMode } from "@tintype/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Tintype } from "../../packages/client/src/node.ts";
import { startTestApp, type TestApp } from "../../packages/server/src/testing/harness.ts";
import { samplePng } from "../../packages/server/src/testing/pictures.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({ environment: { TINTYPE_MODE: "private", SIGN_UP: "open" } });
});
afterAll(async () => {
  await app.close();
  setMode("service");
});

test("the client works where nothing is sold: a result has no credits, and the usage no limit", async () => {
  const person = await app.person();
  const made = await person.call("/api/keys", { json: { name: "A program", scopes: ["process", "usage:read"] } });
  const { key } = (await made.json()) as { key: string };
  const client = new Tintype({ baseUrl: app.baseUrl, key });
  const result = await client.compress(Buffer.from(samplePng(60, 40)), { quality: 60 });
  expect(result.credits).toBeUndefined();
  expect(result.report.files).toHaveLength(1);
  expect(await client.usage()).toMatchObject({ limit: null, serviceCount: 1 });
});
