import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp({
    environment: { TINTYPE_BRAND: '{"name": "Salt & Silver", "support_email": "a@salt.example"}' },
  });
});
afterAll(() => app.close());

test("the API's document, ZIPs and other downloads bear the operator's name", async () => {
  const document = await (await app.caller().call("/api/openapi.json")).json();
  expect(document).toMatchObject({ info: { title: "Salt & Silver API", contact: { name: "Salt & Silver" } } });
  const png = samplePng(16, 16);
  const files = [1, 2].map((number) => ({ name: `${number}.png`, bytes: png }));
  const zip = await app.caller().run("resize", files, { width: "4", height: "4", method: "fill" });
  expect(zip.headers.get("content-disposition")).toContain('filename="salt-silver.zip"');
  await zip.arrayBuffer();
  const person = await app.person();
  const csv = await person.call("/api/usage.csv");
  expect(csv.headers.get("content-disposition")).toMatch(/filename="salt-silver-usage-/);
});
