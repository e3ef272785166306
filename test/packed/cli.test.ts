import { type ChildProcess, execFile, spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { globSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server, type Socket } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath, pathToFileURL } from "node:url";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../../packages/server/src/testing/harness.ts";
import { drawnJpeg } from "../../packages/toolkit/src/testing/drawn-jpeg.ts";
import { installPacked, nodeRelease, type Packed, plainEnvironment } from "./pack.ts";

const run = promisify(execFile);
const tool = (name: string) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));

let packed: Packed;
let room: string;
beforeAll(async () => {
  packed = await installPacked("tintype", "@tintype/unplugin");
  room = mkdtempSync(join(tmpdir(), "tintype-cli-"));
}, 280_000);
afterAll(() => {
  packed.remove();
  rmSync(room, { recursive: true, force: true });
});

type Ran = { code: number; stdout: string; stderr: string };
type RunOptions = { node?: string; cwd?: string; input?: Uint8Array | string; environment?: Record<string, string> };

function begin(args: readonly string[], { node = process.execPath, cwd = room, environment = {} }: RunOptions = {}) {
  const home = {
    XDG_CACHE_HOME: join(room, "cache"),
    XDG_CONFIG_HOME: join(room, "config"),
    XDG_DATA_HOME: join(room, "data"),
  };
  const entry = join(packed.folder, "node_modules/tintype/dist/tintype.js");
  return spawn(node, [entry, ...args], { cwd, env: { ...plainEnvironment(), ...home, ...environment } });
}

function ended(child: ChildProcess): Promise<Ran & { bytes: Buffer }> {
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  child.stdout?.on("data", (piece: Buffer) => out.push(piece));
  child.stderr?.on("data", (piece: Buffer) => err.push(piece));
  return new Promise((resolve) => {
    child.once("close", (code) => {
      const bytes = Buffer.concat(out);
      resolve({ code: code ?? -1, bytes, stdout: bytes.toString(), stderr: Buffer.concat(err).toString() });
    });
  });
}

function tintype(args: readonly string[], options: RunOptions = {}) {
  const child = begin(args, options);
  child.stdin.end(options.input);
  return ended(child);
}

test.each(["tintype", "@tintype/unplugin"])(
  "%s has all it needs, and nothing of this repository beside it",
  async (name) => {
    const root = join(packed.folder, "node_modules", name);
    const manifest = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { dependencies: object };
    expect(readdirSync(root).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
    expect(Object.keys(manifest.dependencies).filter((one) => one.startsWith("@tintype/"))).toEqual([]);
    const installed = readdirSync(join(packed.folder, "node_modules/@tintype"));
    expect(installed).toEqual(["unplugin"]);
    const kernels = readdirSync("packages/imaging/src/kernels/build").filter((file) => file.endsWith(".wasm"));
    expect(readdirSync(join(root, "dist/kernels"))).toEqual(expect.arrayContaining(kernels));
    expect(readFileSync(join(root, "dist/LICENCES.txt"), "utf8")).toMatch(/^zod .*MIT/m);
    // The repository runs on Node.js 24, and the compiler does not tell what 20 lacks.
    for (const file of globSync("dist/**/*.js", { cwd: root }))
      expect(readFileSync(join(root, file), "utf8"), file).not.toMatch(
        /\b(?:Float16Array|Promise\.try|RegExp\.escape|(?:Object|Map)\.groupBy|Array\.fromAsync|Promise\.withResolvers)\b/,
      );
  },
);

test("publint and are-the-types-wrong find nothing", async () => {
  for (const tarball of packed.tarballs) {
    await run(process.execPath, [tool("publint/src/cli.js"), "--strict", tarball]);
    await run(process.execPath, [
      tool("@arethetypeswrong/cli/dist/index.js"),
      tarball,
      "--profile",
      "esm-only",
      "--no-emoji",
    ]);
  }
}, 120_000);

test("Node.js 20, 22 and 24 give the same bytes, from files and over pipes", async () => {
  const photo = await drawnJpeg({ width: 200, height: 140 });
  const hashes = new Set<string>();
  for (const major of [20, 22, 24] as const) {
    const folder = join(room, `node-${major}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "a.jpg"), photo);
    const options = {
      node: await nodeRelease(major),
      cwd: folder,
      environment: { TINTYPE_CACHE: join(folder, "cache") },
    };
    const ran = await tintype(["compress", "a.jpg", "--quality", "70", "--out", "out"], options);
    expect(ran).toMatchObject({ code: 0, stderr: "Pictures stay on this computer.\n" });
    const piped = await tintype(["convert", "--to", "webp", "-"], { ...options, input: photo });
    expect(piped.code).toBe(0);
    expect(piped.bytes.toString("latin1", 8, 12)).toBe("WEBP");
    hashes.add(
      createHash("sha256")
        .update(readFileSync(join(folder, "out/a.jpg")))
        .update(piped.bytes)
        .digest("hex"),
    );
  }
  expect(hashes.size).toBe(1);
}, 180_000);

test("each kind of end has its exit code, and each refusal says what to do", async () => {
  const folder = join(room, "ends");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.jpg"), await drawnJpeg({ width: 60, height: 40 }));
  writeFileSync(join(folder, "broken.jpg"), "this is no picture");
  const at = (...args: string[]) => tintype(args, { cwd: folder });
  expect(await at("compress", "a.jpg", "broken.jpg", "--out", "out")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("broken.jpg  failed: This file is not a picture we can read."),
  });
  expect(await at("compress", "none/*.jpg", "--out", "out")).toMatchObject({
    code: 2,
    stderr: 'tintype: There is no picture at "none/*.jpg".\n',
  });
  expect(await at("compress", "a.jpg")).toMatchObject({ code: 2, stderr: expect.stringContaining("--in-place") });
  expect(await at("compress", "a.jpg", "--qualty", "5")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("--quality"),
  });
  expect(await at("compress", "a.jpg", "--quality", "0", "--out", "x")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("between 1 and 100"),
  });
  expect(await at("whoami")).toMatchObject({ code: 3, stderr: expect.stringContaining("tintype login") });
  const far = { environment: { TINTYPE_KEY: "tt_live_x" }, cwd: folder };
  expect(await tintype(["compress", "a.jpg", "--out", "far", "--server", "http://127.0.0.1:9"], far)).toMatchObject({
    code: 5,
  });
  expect(await at("upscale", "a.jpg", "--out", "big")).toMatchObject({
    code: 1,
    stderr: expect.stringContaining("Please run: tintype install upscale"),
  });
  expect((await at("check", ".", "--percent", "1", "--json")).code).toBe(1);
  const lines = (await at("compress", "a.jpg", "--out", "out", "--json")).stdout.trim().split("\n");
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({ file: "a.jpg", outcome: "done", result: join("out", "a.jpg"), credits: 0, cached: true }),
  ]);
  const tree = await at("serve");
  expect(tree).toMatchObject({ code: 2, stderr: expect.stringContaining("npm run up") });
}, 120_000);

test("Ctrl-C stops a run: what is done is whole, and the same command goes on with the rest", async () => {
  const folder = join(room, "stopped");
  mkdirSync(join(folder, "photos"), { recursive: true });
  for (let seed = 1; seed <= 12; seed++)
    writeFileSync(join(folder, "photos", `${seed}.jpg`), await drawnJpeg({ width: 900, height: 700, seed }));
  const args = ["compress", "photos", "--out", "out", "--json", "--concurrency", "2"];
  const child = begin(args, { cwd: folder });
  createInterface({ input: child.stdout }).once("line", () => child.kill("SIGINT"));
  const first = await ended(child);
  expect(first).toMatchObject({ code: 130, stderr: expect.stringMatching(/\d+ files are not done/) });
  const whole = readdirSync(join(folder, "out"));
  expect(whole.filter((name) => name.startsWith("."))).toEqual([]);
  expect((await tintype(args, { cwd: folder })).code).toBe(0);
  expect(readdirSync(join(folder, "out"))).toHaveLength(12);
}, 120_000);

/** The command on a terminal of its own, by `script` of util-linux, at a width in columns. */
function onTerminal(args: readonly string[], { cwd, columns = 100 }: { cwd: string; columns?: number }) {
  const entry = join(packed.folder, "node_modules/tintype/dist/tintype.js");
  const line = [process.execPath, entry, ...args].map((word) => `'${word}'`).join(" ");
  const env = { ...plainEnvironment(), TINTYPE_CACHE: join(cwd, "cache"), XDG_CONFIG_HOME: join(room, "none") };
  return spawn("script", ["-qec", `stty cols ${columns}; exec ${line}`, "/dev/null"], { cwd, env });
}

test.each([100, 24])(
  "on a terminal of %i columns a bar shows files, bytes and time, and goes away for the summary",
  async (columns) => {
    const folder = join(room, `terminal-${columns}`);
    mkdirSync(join(folder, "photos"), { recursive: true });
    for (let seed = 1; seed <= 3; seed++)
      writeFileSync(join(folder, "photos", `${seed}.jpg`), await drawnJpeg({ width: 300, height: 200, seed }));
    const child = onTerminal(["compress", "photos", "--out", "out"], { cwd: folder, columns });
    child.stdin.end();
    const { code, stdout } = await ended(child);
    expect(code).toBe(0);
    expect(stdout).toMatch(columns > 60 ? /█.*\d\/3 files, .* saved, .* left/ : /█/);
    // The cursor that was hidden is shown again, and the summary is the end.
    expect(stdout.lastIndexOf("\u001B[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001B[?25l"));
    expect(stdout.trimEnd()).toMatch(/done +3 .*\r?\n[\d.]+ s$/);
  },
  60_000,
);

test("Ctrl-C on a terminal ends the bar and shows the cursor again", async () => {
  const folder = join(room, "terminal-stopped");
  mkdirSync(join(folder, "photos"), { recursive: true });
  for (let seed = 1; seed <= 8; seed++)
    writeFileSync(join(folder, "photos", `${seed}.jpg`), await drawnJpeg({ width: 1100, height: 900, seed }));
  const child = onTerminal(["compress", "photos", "--out", "out", "--concurrency", "2"], { cwd: folder });
  let wasStopped = false;
  child.stdout.on("data", (piece: Buffer) => {
    if (wasStopped || !piece.includes("█")) return;
    wasStopped = true;
    child.stdin.write("\u0003");
  });
  const { code, stdout } = await ended(child);
  expect(code).toBe(130);
  expect(stdout).toMatch(/Stopped: \d+ files are not done/);
  expect(stdout.lastIndexOf("\u001B[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001B[?25l"));
}, 60_000);

test("the completion script works in bash", async () => {
  const { stdout: script } = await tintype(["completion", "bash"]);
  const complete = async (words: string[]) => {
    const asked = `${script}
COMP_WORDS=(${words.map((word) => `'${word}'`).join(" ")}); COMP_CWORD=${words.length - 1}; _tintype; printf '%s\n' "\${COMPREPLY[@]}"; complete -p tintype`;
    return (await run("bash", ["--norc", "-c", asked], { env: plainEnvironment() })).stdout.trim().split("\n");
  };
  expect(await complete(["tintype", "comp"])).toEqual([
    "compress",
    "completion",
    "complete -o filenames -F _tintype tintype",
  ]);
  expect(await complete(["tintype", "compress", "--qua"])).toContain("--quality");
}, 60_000);

/** A way to the server that can be cut. */
async function openLine(port: number): Promise<{ origin: string; cut(): void; restore(): void; server: Server }> {
  let isCut = false;
  const sockets = new Set<Socket>();
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(port, "127.0.0.1");
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(one);
      one.on("error", () => other.destroy());
      one.on("close", () => {
        sockets.delete(one);
        other.destroy();
      });
      one.pipe(other);
    }
  });
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  return {
    origin: `http://127.0.0.1:${address.port}`,
    server,
    cut() {
      isCut = true;
      for (const socket of sockets) socket.destroy();
    },
    restore() {
      isCut = false;
    },
  };
}

test("20 photos over a line that is cut, in a process that is killed: each is done once, charged once, and whole", async () => {
  const app: TestApp = await startTestApp();
  const line = await openLine(Number(new URL(app.baseUrl).port));
  try {
    const person = await app.person();
    const made = await person.call("/api/keys", {
      json: { name: "Laptop", scopes: ["process", "jobs:read", "usage:read"] },
    });
    const { key } = (await made.json()) as { key: string };
    const folder = join(room, "journey");
    mkdirSync(join(folder, "photos"), { recursive: true });
    for (let seed = 1; seed <= 20; seed++)
      writeFileSync(
        join(folder, "photos", `${seed}.jpg`),
        await drawnJpeg({ width: 640, height: 480, seed: seed + 100 }),
      );
    const signedIn = await tintype(["login", "--server", line.origin], { input: key });
    expect(signedIn).toMatchObject({ code: 0, stderr: expect.stringContaining("plan hobby") });
    const args = ["compress", "photos", "--quality", "70", "--out", "out", "--json"];
    const child = begin(args, { cwd: folder });
    child.stderr.resume();
    let done = 0;
    let wasCut = false;
    createInterface({ input: child.stdout }).on("line", (text) => {
      done += (JSON.parse(text) as { outcome: string }).outcome === "done" ? 1 : 0;
      if (done === 5) {
        line.cut();
        wasCut = true;
        setTimeout(() => line.restore(), 1_000);
      }
      if (done === 12) child.kill("SIGKILL");
    });
    await new Promise((closed) => child.once("close", closed));
    expect([wasCut, done >= 12, done < 20]).toEqual([true, true, true]);
    const second = await tintype(args, { cwd: folder });
    expect(second).toMatchObject({ code: 0, stderr: `Pictures go to ${line.origin}.\n` });
    const results = readdirSync(join(folder, "out"));
    expect(results.sort()).toEqual(readdirSync(join(folder, "photos")).sort());
    expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 20 });
    // The same work on this computer gives the same bytes.
    const here = await tintype(["compress", "photos", "--quality", "70", "--out", "here", "--offline"], {
      cwd: folder,
    });
    expect(here.code).toBe(0);
    for (const name of results)
      expect(readFileSync(join(folder, "out", name)).equals(readFileSync(join(folder, "here", name)))).toBe(true);
    expect((await tintype(["usage", "--json"])).stdout).toContain('"used":20');
    expect((await tintype(["logout"])).code).toBe(0);
    expect((await tintype(["whoami"])).code).toBe(3);
  } finally {
    line.cut();
    line.server.close();
    await app.close();
  }
}, 240_000);

test("a build of Vite comes out with smaller pictures, those of the public folder too", async () => {
  const site = join(packed.folder, "site");
  mkdirSync(join(site, "public"), { recursive: true });
  const photo = await drawnJpeg({ width: 300, height: 200, seed: 9 });
  const shared = await drawnJpeg({ width: 310, height: 200, seed: 10 });
  writeFileSync(join(site, "photo.jpg"), photo);
  writeFileSync(join(site, "public", "shared.jpg"), shared);
  writeFileSync(join(site, "index.html"), '<!doctype html><title>Page</title><img src="./photo.jpg" alt="A photo">');
  writeFileSync(
    join(site, "vite.config.js"),
    `import tintype from "@tintype/unplugin/vite";
export default { plugins: [tintype({ compress: { quality: 60 }, cache: ${JSON.stringify(join(room, "vite-cache"))} })], build: { assetsInlineLimit: 0 } };
`,
  );
  const build = () =>
    run(process.execPath, [tool("vite/bin/vite.js"), "build"], { cwd: site, env: plainEnvironment() });
  const { stdout } = await build();
  expect(stdout).toContain("[tintype] Pictures stay on this computer. 1 pictures:");
  const [asset = ""] = readdirSync(join(site, "dist/assets")).filter((name) => name.endsWith(".jpg"));
  const once = [readFileSync(join(site, "dist/assets", asset)), readFileSync(join(site, "dist/shared.jpg"))];
  expect(once.map(({ length }, i) => length < ([photo, shared][i]?.length ?? 0))).toEqual([true, true]);
  await build();
  const again = [readFileSync(join(site, "dist/assets", asset)), readFileSync(join(site, "dist/shared.jpg"))];
  expect(again.map((bytes, i) => bytes.equals(once[i] ?? Buffer.alloc(0)))).toEqual([true, true]);
}, 120_000);

const unpluginOptions = (name: string) =>
  JSON.stringify({ compress: { quality: 60 }, cache: join(room, `${name}-cache`), concurrency: 1 });

/** A build by each bundler's own program: `main.js` takes `photo.jpg`, and the output lies in `dist`. */
const builds = {
  webpack: () => `import { join } from "node:path";
import webpack from ${JSON.stringify(pathToFileURL(tool("webpack/lib/index.js")).href)};
import tintype from "@tintype/unplugin/webpack";
const rules = [{ test: /[.]jpg$/, type: "asset/resource" }];
const output = { path: join(import.meta.dirname, "dist"), assetModuleFilename: "[name][ext]" };
const plugins = [tintype(${unpluginOptions("webpack")})];
webpack({ mode: "production", context: import.meta.dirname, entry: "./main.js", output, module: { rules }, plugins }, (problem, stats) => {
  if (problem ?? stats.hasErrors()) throw problem ?? new Error(stats.toString());
});
`,
  rollup: () => `import { readFileSync } from "node:fs";
import { rollup } from ${JSON.stringify(pathToFileURL(tool("rollup/dist/es/rollup.js")).href)};
import tintype from "@tintype/unplugin/rollup";
const pictures = {
  name: "pictures",
  load(id) {
    if (!id.endsWith(".jpg")) return undefined;
    const place = this.emitFile({ type: "asset", fileName: "photo.jpg", source: readFileSync(id) });
    return "export default import.meta.ROLLUP_FILE_URL_" + place;
  },
};
const bundle = await rollup({ input: "main.js", plugins: [pictures, tintype(${unpluginOptions("rollup")})] });
await bundle.write({ dir: "dist" });
`,
};

test.each(["webpack", "rollup"] as const)(
  "a build of %s comes out with smaller pictures",
  async (bundler) => {
    const site = join(packed.folder, `site-${bundler}`);
    mkdirSync(site);
    const photo = await drawnJpeg({ width: 300, height: 200, seed: 11 });
    writeFileSync(join(site, "photo.jpg"), photo);
    writeFileSync(join(site, "main.js"), 'import photo from "./photo.jpg";\nconsole.log(photo);\n');
    writeFileSync(join(site, "build.js"), builds[bundler]());
    const { stdout } = await run(process.execPath, ["build.js"], { cwd: site, env: plainEnvironment() });
    expect(stdout).toContain("[tintype] Pictures stay on this computer. 1 pictures:");
    const built = readFileSync(join(site, "dist/photo.jpg"));
    expect([...built.subarray(0, 2)]).toEqual([0xff, 0xd8]);
    expect(built.length).toBeLessThan(photo.length);
    expect(readFileSync(join(site, "dist/main.js"), "utf8")).toContain("photo.jpg");
  },
  120_000,
);

test("the hook that Astro calls after a build makes the pictures of the site smaller", async () => {
  const site = join(packed.folder, "site-astro");
  mkdirSync(join(site, "dist/_astro"), { recursive: true });
  const photo = await drawnJpeg({ width: 300, height: 200, seed: 12 });
  writeFileSync(join(site, "dist/_astro/photo.jpg"), photo);
  writeFileSync(
    join(site, "build.js"),
    `import tintype from "@tintype/unplugin/astro";
const { hooks } = tintype(${unpluginOptions("astro")});
const logger = { info: console.log, warn: console.warn };
await hooks["astro:build:done"]({ dir: new URL("./dist/", import.meta.url), logger });
`,
  );
  const { stdout } = await run(process.execPath, ["build.js"], { cwd: site, env: plainEnvironment() });
  expect(stdout).toContain("Pictures stay on this computer. 1 pictures of");
  expect(readFileSync(join(site, "dist/_astro/photo.jpg")).length).toBeLessThan(photo.length);
}, 120_000);
