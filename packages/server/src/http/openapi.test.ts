import { type Endpoint, endpoints, errors, isErrorCode, openApiDocument } from "@tintype/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Caller, startTestApp, type TestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

let app: TestApp;
let person: Caller;
beforeAll(async () => {
  app = await startTestApp();
  person = await app.person();
});
afterAll(() => app.close());

const rows = Object.entries(endpoints) as [string, Endpoint][];
/** Calls whose success wants more than a first example can bring: a paid checkout, a model, a job or a key that exists. */
const mayRefuse = new Set([
  "upgradePlan",
  "createPaymentSession",
  "cancelSubscription",
  "deleteAccount",
  "upscale",
  "removeBackground",
  "razorpayKey",
  "transactions",
  "getJob",
  "cancelJob",
  "jobEvents",
  "jobResult",
  "jobFile",
  "deleteKey",
  "rotateKey",
]);

describe("every example of the reference is a call that works", () => {
  test.each(rows)("%s", async (name, row) => {
    const path = `/api${row.path.replace(/\{\w+\}/g, "none")}`;
    const form = row.form ? new FormData() : undefined;
    for (const [field, value] of Object.entries(row.example?.fields ?? {})) form?.append(field, value);
    if (row.form) form?.append(row.form.files, new Blob([new Uint8Array(samplePng(60, 40))]), "photo.png");
    const answer = await person.call(path, {
      method: row.method,
      ...(form ? { form } : {}),
      ...(row.body ? { json: row.example?.body ?? {} } : {}),
    });
    if (answer.status === row.answer.status) {
      if (row.answer.body) row.answer.body.parse(await answer.json());
      return;
    }
    const problem = (await answer.json()) as { type: string; detail: string };
    expect(mayRefuse, `${name}: ${answer.status} ${problem.detail}`).toContain(name);
    const code = problem.type.replace("/api/docs#error-", "");
    expect(isErrorCode(code) && row.errors.includes(code), `${name} answers ${code}, which its row does not list`).toBe(
      true,
    );
  });
});

test("the document is served, and lists every call with its answers", async () => {
  const served = (await (await app.caller().call("/api/openapi.json")).json()) as ReturnType<typeof openApiDocument> & {
    paths: Record<string, object>;
  };
  for (const [, row] of rows)
    expect(Object.keys(served.paths[`/api${row.path}`] ?? {})).toContain(row.method.toLowerCase());
  expect(served).toEqual(
    JSON.parse(JSON.stringify(openApiDocument({ origin: "http://localhost:3000", version: "0.1.0" }))),
  );
});

test("each error code is documented at some call, and no documented one is a ghost", () => {
  const listed = new Set(rows.flatMap(([, row]) => [...row.errors]));
  expect([...listed].sort()).toEqual(Object.keys(errors).sort());
});
