import { execFile } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { createClient } from "@hey-api/openapi-ts";
import openapiTS, { astToString, type SchemaObject } from "openapi-typescript";
import { generate } from "orval";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { startTestApp, type TestApp, type TestCaller } from "../../packages/server/src/testing/harness.ts";
import { noisePng, samplePng } from "../../packages/server/src/testing/pictures.ts";
import type { MakeClient } from "./client.ts";

const run = promisify(execFile);
const here = fileURLToPath(new URL(".", import.meta.url));
const repository = fileURLToPath(new URL("../..", import.meta.url));

let app: TestApp;
let owner: TestCaller;
let folder: string;
let key: string;
beforeAll(async () => {
  app = await startTestApp();
  owner = await app.person();
  const made = await owner.call("/api/keys", { json: { name: "Generated", scopes: ["process", "jobs:read"] } });
  key = ((await made.json()) as { key: string }).key;
  // Ignored by git, but inside the repository, where the clients' imports resolve.
  mkdirSync(join(repository, ".tintype"), { recursive: true });
  folder = mkdtempSync(join(repository, ".tintype/generators-"));
  await generateAll();
});
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

async function generateAll(): Promise<void> {
  const made = join(folder, "made");
  const input = join(folder, "openapi.json");
  mkdirSync(made);
  cpSync(join(here, "clients"), folder, { recursive: true });
  cpSync(join(here, "client.ts"), join(folder, "client.ts"));
  const document = await (await app.caller().call("/api/openapi.json")).text();
  writeFileSync(input, document);

  const blob = ts.factory.createTypeReferenceNode(ts.factory.createIdentifier("Blob"));
  const types = await openapiTS(document, {
    // As openapi-typescript's documentation advises for files.
    transform: (schema: SchemaObject) => (schema.format === "binary" ? blob : undefined),
  });
  writeFileSync(join(made, "openapi-typescript.ts"), astToString(types));

  await createClient({
    input,
    output: join(made, "hey-api"),
    plugins: ["@hey-api/client-fetch", "@hey-api/typescript", "@hey-api/sdk"],
    logs: { level: "silent" },
  });
  await generate({
    input: { target: input },
    output: {
      target: join(made, "orval.ts"),
      client: "fetch",
      mode: "single",
      override: { mutator: { path: join(folder, "orval-call.ts"), name: "call" } },
    },
  });
}

test("the clients of three generators compile strictly, and so do the programs that use them", async () => {
  const config = {
    extends: "../../tsconfig.base.json",
    compilerOptions: {
      composite: false,
      noEmit: true,
      emitDeclarationOnly: false,
      lib: ["ES2024", "DOM", "DOM.Iterable"],
      module: "ESNext",
      moduleResolution: "bundler",
      exactOptionalPropertyTypes: false,
      noUncheckedIndexedAccess: false,
      erasableSyntaxOnly: false,
      verbatimModuleSyntax: false,
    },
    include: ["**/*.ts"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  const checked = await run(process.execPath, [join(repository, "node_modules/typescript/bin/tsc"), "-p", folder]).then(
    () => "",
    (problem: { stdout: string }) => problem.stdout,
  );
  expect(checked).toBe("");
});

describe.each(["openapi-fetch", "hey-api", "orval"])("%s", (name) => {
  const file = (label: string, bytes: Uint8Array) => new File([new Uint8Array(bytes)], label, { type: "image/png" });
  const client = async () => {
    const { makeClient } = (await import(join(folder, `${name}.ts`))) as { makeClient: MakeClient }; // each file's export
    return makeClient({ origin: app.baseUrl, key });
  };
  const magic = async (blob: Blob) => Buffer.from(await blob.slice(0, 4).arrayBuffer()).toString("latin1");

  test("sends a batch and has the ZIP", async () => {
    const zip = await (await client()).batch([file("a.png", samplePng(30, 20)), file("b.png", samplePng(20, 30))]);
    expect(await magic(zip)).toBe("PK\u0003\u0004");
  });

  test("begins a job, hears its events to the end and fetches the result", async () => {
    const { begin, eventTypes, stateOf, result } = await client();
    const id = await begin(file("a.png", samplePng(300, 200)));
    expect(id).toMatch(/^job_/);
    const types = await eventTypes(id);
    expect(types[0]).toBe("snapshot");
    expect(await stateOf(id)).toBe("done");
    expect(await magic(await result(id))).toBe("\u0089PNG");
  });

  test("cancels a job, and its credit is back", async () => {
    const used = async () =>
      ((await (await owner.call("/api/user-info")).json()) as { service_count: number }).service_count;
    const before = await used();
    const { begin, cancel } = await client();
    expect(await cancel(await begin(file("slow.png", noisePng(2500, 2500))))).toBe("cancelled");
    expect(await used()).toBe(before);
  });

  test("reads a refusal as the document describes it", async () => {
    expect(await (await client()).refused(file("a.png", samplePng(8, 8)))).toEqual({
      code: "invalid-request",
      field: "quality",
      retryable: false,
    });
  });
});
