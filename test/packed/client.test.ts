import { execFile } from "node:child_process";
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";
import { chromium } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isDeep } from "../../packages/server/src/testing/deep.ts";
import { startTestApp, type TestApp } from "../../packages/server/src/testing/harness.ts";
import { samplePng } from "../../packages/server/src/testing/pictures.ts";
import { denoRelease, installPacked, nodeRelease, nodeReleases, npmInstall, type Packed } from "./pack.ts";

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
});
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
  await run(process.execPath, [attw, tarball, "--no-emoji"]);
});

/** A strict program. The README's own examples are added to it. */
const program = `import { type Result, Tintype, TintypeError } from "@tintype/client";
import { backoffMs } from "@tintype/client/core";
declare const set: { key: string | undefined; signal: AbortSignal | undefined }; // such as process.env.TINTYPE_KEY
const t: Tintype = new Tintype({ key: set.key, baseUrl: "https://pictures.example.com" });
export const waitMs: number = backoffMs(1, 2);
export const perhaps = t.usage({ signal: set.signal });
export const made: Promise<Result> = t.compress(new Blob([]), { maxBytes: 150_000 });
export const many = t.removeBackground([new Blob([])], { backgroundImage: new Blob([]) }, { signal: AbortSignal.timeout(1) });
// @ts-expect-error the target format has to be given
export const format = t.convert(new Blob([]));
// @ts-expect-error a misspelt option
export const misspelt = t.compress(new Blob([]), { qualty: 3 });
export const codeOf = (problem: unknown) => (problem instanceof TintypeError ? problem.code : undefined);
export async function follow(id: string): Promise<number[]> {
  const seen: number[] = [];
  for await (const event of t.jobs.events(id)) seen.push(event.progress);
  return seen;
}
`;

/** Each example of the README is a function, with the names that it takes for granted. */
function readmeExamples(): string {
  const text = readFileSync(join(packed.folder, "node_modules/@tintype/client/README.md"), "utf8");
  const blocks = [...text.matchAll(/^```ts\n(.*?)^```$/gms)].map(([, block = ""]) =>
    block.replace(/^import .*\n/m, ""),
  );
  expect(blocks.length).toBeGreaterThan(4);
  return `import { writeFile } from "node:fs/promises";
declare const file: File, controller: AbortController, bar: { update(...how: (string | number)[]): void };
${blocks.map((block, at) => `export async function example${at}(t: Tintype, files: File[]) {\nvoid writeFile;\n{\n${block}\n}\n}`).join("\n")}
`;
}

const dom = { lib: ["ES2022", "DOM"], types: ["node"] };
const typeSettings: Record<string, object> = {
  "Node.js, ES modules": { module: "NodeNext", type: "module", lib: ["ES2022"], types: ["node"] },
  "CommonJS of old": { module: "CommonJS", moduleResolution: "Node10", type: "commonjs", ...dom },
  "a bundler": { module: "ESNext", moduleResolution: "Bundler", type: "module", ...dom },
  ...(isDeep
    ? {
        "Node.js, CommonJS": { module: "Node16", type: "commonjs", lib: ["ES2022"], types: ["node"] },
        "Node.js, CommonJS, with the DOM": { module: "NodeNext", type: "commonjs", ...dom },
      }
    : {}),
};

test.each(isDeep ? ["5.9.3", "6.0.3"] : ["6.0.3"])(
  "programs and the README's examples compile strictly in TypeScript %s: for Node.js, CommonJS and bundlers",
  async (version) => {
    const compiler = `typescript-${version}`;
    await npmInstall(packed.folder, [`${compiler}@npm:typescript@${version}`]);
    const typeRoots = [tool("@types")];
    const shared = {
      strict: true,
      noEmit: true,
      exactOptionalPropertyTypes: true,
      skipDefaultLibCheck: true,
      target: "ES2022",
      typeRoots,
    };
    for (const [name, { type, ...settings }] of Object.entries(typeSettings) as [string, { type: string }][]) {
      const project = join(packed.folder, "project");
      mkdirSync(project, { recursive: true });
      writeFileSync(join(project, "package.json"), JSON.stringify({ private: true, type }));
      writeFileSync(join(project, "program.ts"), program + readmeExamples());
      const isOld = "moduleResolution" in settings && settings.moduleResolution === "Node10";
      const silenced = isOld && version.startsWith("6.") ? { ignoreDeprecations: "6.0" } : {};
      const compilerOptions = { ...shared, ...settings, ...silenced };
      writeFileSync(join(project, "tsconfig.json"), JSON.stringify({ compilerOptions, files: ["program.ts"] }));
      const said = await run(process.execPath, [
        join(packed.folder, "node_modules", compiler, "bin/tsc"),
        "-p",
        project,
      ]).then(
        () => "",
        (failed: { stdout: string }) => failed.stdout,
      );
      expect(said, name).toBe("");
    }
  },
  300_000,
);

test.each(nodeReleases)("a CommonJS program works on Node.js %i", async (major) => {
  const code = `const { Tintype } = require("@tintype/client");
const { backoffMs } = require("@tintype/client/core");
const [, , baseUrl, key] = process.argv;
new Tintype({ baseUrl, key }).usage().then(({ serviceCount }) => console.log(serviceCount, typeof backoffMs));
`;
  writeFileSync(join(packed.folder, "program.cjs"), code);
  const { stdout } = await run(await nodeRelease(major), ["program.cjs", app.baseUrl, await newKey()], {
    cwd: packed.folder,
  });
  expect(stdout).toBe("0 function\n");
});

/** The commands that run a script, by runtime. */
const runtimes = {
  ...Object.fromEntries(nodeReleases.map((major) => [`Node.js ${major}`, async () => [await nodeRelease(major)]])),
  ...(isDeep
    ? { Deno: async () => [await denoRelease(), "run", "--allow-all", "--no-lock", "--node-modules-dir=manual"] }
    : {}),
};

test.each(Object.entries(runtimes))("it works on %s", async (_, commandOf) => {
  copyFileSync(here("client-tour.mjs"), join(packed.folder, "client-tour.mjs"));
  writeFileSync(join(packed.folder, "photo.png"), samplePng(90, 60));
  const [program = "", ...how] = await commandOf();
  const { stdout, stderr } = await run(program, [...how, "client-tour.mjs", app.baseUrl, await newKey()], {
    cwd: packed.folder,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: "1" },
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
});

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
});
