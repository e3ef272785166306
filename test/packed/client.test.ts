import { execFile } from "node:child_process";
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../packages/server/src/testing/harness.ts";
import { samplePng } from "../../packages/server/src/testing/pictures.ts";
import { installPacked, nodeRelease, type Packed } from "./pack.ts";

type BrowserClient = typeof import("../../packages/client/src/index.ts");

const run = promisify(execFile);
const here = (name: string) => fileURLToPath(new URL(name, import.meta.url));
const tool = (name: string) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));

let packed: Packed;
let site: Server;
let siteOrigin: string;
let app: TestApp;
beforeAll(async () => {
  packed = await installPacked("@tintype/client");
  site = createServer((request, answer) => {
    const [, file] = /^\/client\/([\w.-]+[.]js)$/.exec(request.url ?? "") ?? [];
    if (!file) return void answer.writeHead(200, { "content-type": "text/html" }).end(pageText);
    loaded.push(file);
    answer.writeHead(200, { "content-type": "text/javascript" }).end(readFileSync(join(dist(), file)));
  });
  await new Promise<void>((listening) => site.listen(0, "127.0.0.1", listening));
  siteOrigin = `http://127.0.0.1:${(site.address() as AddressInfo).port}`; // a TCP server has one
  app = await startTestApp({ environment: { TINTYPE_CORS_ORIGINS: siteOrigin } });
}, 180_000);
afterAll(async () => {
  site.closeAllConnections();
  site.close();
  await app.close();
  packed.remove();
});
const loaded: string[] = [];
const pageText = `<!doctype html><title>Test</title><script type="module">
  import * as client from "/client/index.js";
  window.client = client;
</script>`;
const dist = () => join(packed.folder, "node_modules/@tintype/client/dist");

async function newKey(): Promise<string> {
  const person = await app.person();
  const made = await person.call("/api/keys", {
    json: { name: "Packed", scopes: ["process", "jobs:read", "usage:read", "recipes:write"] },
  });
  return ((await made.json()) as { key: string }).key;
}

test("the tarball holds code, types, a README and a licence, needs no other package and nothing from this repository", () => {
  const root = join(packed.folder, "node_modules/@tintype/client");
  const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as Record<string, unknown>;
  expect(readdirSync(join(packed.folder, "node_modules")).filter((name) => !name.startsWith("."))).toEqual([
    "@tintype",
  ]);
  expect(readdirSync(root).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
  expect(manifest).not.toHaveProperty("private");
  expect(manifest).not.toHaveProperty("dependencies");
  expect(manifest).not.toHaveProperty("devDependencies");
  const code = readdirSync(dist()).map((name) => readFileSync(join(dist(), name), "utf8"));
  expect(code.join("\n")).not.toMatch(/@tintype\/(contract|imaging|server)|packages\//);
});

test("publint and are-the-types-wrong find nothing", async () => {
  const [tarball = ""] = packed.tarballs;
  await run(process.execPath, [tool("publint/src/cli.js"), "--strict", tarball]);
  const attw = tool("@arethetypeswrong/cli/dist/index.js");
  await run(process.execPath, [attw, tarball, "--profile", "esm-only", "--no-emoji"]);
});

test("programs in TypeScript compile strictly, for Node.js and for bundlers", async () => {
  const program = `import { type Result, Tintype, TintypeError } from "@tintype/client";
declare const set: { key: string | undefined; signal: AbortSignal | undefined }; // such as process.env.TINTYPE_KEY
const t: Tintype = new Tintype({ key: set.key });
export const perhaps = t.usage({ signal: set.signal });
export const made: Promise<Result> = t.compress(new Blob(), { maxBytes: 150_000 });
export const many = t.removeBackground([new Blob()], { backgroundImage: new Blob() }, { signal: AbortSignal.timeout(1) });
// @ts-expect-error the target format has to be given
export const format = t.convert(new Blob());
// @ts-expect-error a misspelt option
export const misspelt = t.compress(new Blob(), { qualty: 3 });
export const codeOf = (problem: unknown) => (problem instanceof TintypeError ? problem.code : undefined);
export async function follow(id: string): Promise<number[]> {
  const seen: number[] = [];
  for await (const event of t.jobs.events(id)) seen.push(event.progress);
  return seen;
}
`;
  writeFileSync(join(packed.folder, "program.ts"), program);
  const shared = { strict: true, noEmit: true, exactOptionalPropertyTypes: true, target: "ES2022", types: [] };
  const settings = [
    { ...shared, module: "NodeNext", moduleResolution: "NodeNext", lib: ["ES2022", "DOM"] },
    { ...shared, module: "ESNext", moduleResolution: "Bundler", lib: ["ES2022", "DOM", "DOM.Iterable"] },
  ];
  for (const compilerOptions of settings) {
    writeFileSync(join(packed.folder, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
    const said = await run(process.execPath, [tool("typescript/bin/tsc"), "-p", packed.folder]).then(
      () => "",
      (failed: { stdout: string }) => failed.stdout,
    );
    expect(said).toBe("");
  }
});

test.each([20, 22, 24] as const)(
  "it works on Node.js %i",
  async (major) => {
    copyFileSync(here("client-tour.mjs"), join(packed.folder, "client-tour.mjs"));
    writeFileSync(join(packed.folder, "photo.png"), samplePng(90, 60));
    const node = await nodeRelease(major);
    const { stdout, stderr } = await run(node, ["client-tour.mjs", app.baseUrl, await newKey()], {
      cwd: packed.folder,
    });
    expect(JSON.parse(stdout)).toEqual({
      single: "photo.png",
      stages: ["upload", "work"],
      batch: ["photo.webp", "b.webp"],
      progress: 1,
      resized: 20,
      refused: [true, "invalid-request", "quality"],
      aborted: "stop",
      used: 4,
    });
    expect(stderr).toBe("");
  },
  120_000,
);

test("it works in Chromium on another origin, without a bundler, and is under 15 KB gzipped", async () => {
  const browser = await chromium.launch({
    executablePath: process.env["CHROMIUM"] ?? "/usr/bin/chromium",
    args: ["--no-sandbox", "--disable-gpu", "--disable-quic", "--disable-background-networking"],
  });
  try {
    const page = await browser.newPage();
    await page.goto(siteOrigin);
    await page.waitForFunction("window.client");
    const seen = await page.evaluate(
      async ({ baseUrl, key, bytes }) => {
        const { Tintype, TintypeError } = (window as unknown as { client: BrowserClient }).client; // set by the page
        const t = new Tintype({ key, baseUrl });
        const file = (name: string) => new File([new Uint8Array(bytes)], name);
        const uploads: number[] = [];
        const works: number[] = [];
        const { blob, report, credits } = await t.convert(
          file("a.png"),
          { targetFormat: "webp" },
          { onProgress: ({ stage, progress }) => (stage === "upload" ? uploads : works).push(progress) },
        );
        const batch = await t.resize([file("a.png"), file("b.png").stream()], { width: 30 });
        const refused = await t.compress(file("a.png"), { quality: 101 }).catch((problem: unknown) => problem);
        const later = new AbortController();
        const reason = new Error("stop");
        const call = t.compress(
          file("a.png"),
          { quality: 40 },
          {
            signal: later.signal,
            onProgress: () => later.abort(reason),
          },
        );
        const aborted = await call.catch((problem: unknown) => problem === reason);
        return {
          type: blob.type,
          size: (await createImageBitmap(blob)).width,
          outcome: report.files[0]?.outcome,
          charged: credits?.charged,
          uploaded: uploads.at(-1),
          worked: works.at(-1),
          batch: batch.files.length,
          refused: refused instanceof TintypeError && [refused.code, refused.status, refused.field],
          aborted,
        };
      },
      { baseUrl: app.baseUrl, key: await newKey(), bytes: [...samplePng(90, 60)] },
    );
    expect(seen).toEqual({
      type: "image/webp",
      size: 90,
      outcome: "done",
      charged: 1,
      uploaded: 1,
      worked: 1,
      batch: 2,
      refused: ["invalid-request", 400, "quality"],
      aborted: true,
    });
  } finally {
    await browser.close();
  }
  const script = loaded.map((file) => readFileSync(join(dist(), file), "utf8")).join("\n");
  expect(script).not.toMatch(/node:|require\(/);
  expect(loaded).toContain("index.js");
  expect(gzipSync(script).length).toBeLessThan(15_000);
}, 60_000);
