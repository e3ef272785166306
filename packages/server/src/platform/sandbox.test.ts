import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { Task } from "@tintype/imaging";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openSandbox } from "../composition/engine-sandbox.ts";
import { readConfig } from "../config.ts";
import { EnginePool } from "./engine-pool.ts";
import { openEngineWorkdir } from "./engine-workdir.ts";
import { chooseSandbox, isSupported, noSandbox, type Sandbox, sandboxes } from "./sandbox.ts";

const root = fileURLToPath(new URL("../../../..", import.meta.url));
const readable = [
  process.execPath,
  ...["node_modules", "packages/imaging", "packages/codecs", "packages/contract"].map((path) => join(root, path)),
];
let folder: string;
let works: Sandbox[];
const listener = createServer((socket) => socket.on("error", () => {}).end("hello"));
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "tintype-sandbox-"));
  chmodSync(folder, 0o700); // as a data folder is
  writeFileSync(join(folder, "secret"), "the server's", { mode: 0o600 });
  mkdirSync(join(folder, "scratch"));
  await new Promise<void>((done) => void listener.listen(0, "127.0.0.1", done));
  const options = { readable, scratch: join(folder, "scratch") };
  const found = await Promise.all(
    sandboxes(options).map(async (one) => ((await isSupported(one, options)) ? one : undefined)),
  );
  works = found.filter((one) => one !== undefined);
});
afterAll(() => {
  listener.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What a program in the sandbox can observe. */
const spy = `
const fs = require("node:fs"), net = require("node:net");
const can = (work) => { try { work(); return true; } catch { return false; } };
const [secret, server, port, outside] = process.argv.slice(1);
// In the sandbox without /proc nothing tells; then it is the same program as with one.
const status = fs.existsSync("/proc/self/status") ? fs.readFileSync("/proc/self/status", "utf8")
  : "NoNewPrivs:\\t1 CapEff:\\t0000000000000000";
const found = {
  readsSecret: can(() => fs.readFileSync(secret)),
  readsEnvironment: can(() => fs.readFileSync("/proc/" + server + "/environ")),
  writesOutside: can(() => fs.writeFileSync(outside, "x")),
  gainsNothing: /NoNewPrivs:\\t1/.test(status),
  capabilities: /CapEff:\\t(\\w+)/.exec(status)[1],
  uid: process.getuid(),
  environment: Object.keys(process.env).sort(),
};
const socket = net.connect(Number(port), "127.0.0.1");
const tell = (reachesNetwork) => { console.log(JSON.stringify({ ...found, reachesNetwork })); process.exit(); };
socket.on("connect", () => tell(true));
socket.on("error", () => tell(false));
`;

async function lookAround(sandbox: Sandbox) {
  const workdir = openEngineWorkdir(join(folder, "scratch"), sandbox.uid);
  const outside = join(folder, `outside-${sandbox.level}-${sandbox.uid}`);
  const args = [join(folder, "secret"), String(process.pid), String((listener.address() as AddressInfo).port), outside];
  const [file, ...rest] = sandbox.wrap(workdir.path, [process.execPath, "--eval", spy, "--", ...args]);
  const { stdout } = await promisify(execFile)(file, rest, { cwd: workdir.path, env: { PATH: process.env["PATH"] } });
  workdir.remove();
  return JSON.parse(stdout) as Record<string, unknown>;
}

test("this system has namespaces, which npm run verify installs, and they keep everything out", async () => {
  const strongest = await chooseSandbox({ readable, scratch: join(folder, "scratch") });
  if (strongest?.level !== "namespaces") throw new Error(`The strongest here is ${strongest?.level}.`);
  expect(await lookAround(strongest)).toMatchObject({
    readsSecret: false,
    readsEnvironment: false,
    writesOutside: false,
    reachesNetwork: false,
    gainsNothing: true,
    capabilities: "0000000000000000",
  });
});

test("each weaker level keeps out what it says", async () => {
  for (const sandbox of works) {
    const found = await lookAround(sandbox);
    const name = `${sandbox.level} ${sandbox.uid ?? ""}`;
    expect(found, name).toMatchObject({ gainsNothing: true, capabilities: "0000000000000000" });
    if (sandbox.uid !== undefined)
      expect(found, name).toMatchObject({
        uid: sandbox.uid,
        readsSecret: false,
        writesOutside: false,
        readsEnvironment: false,
      });
    if (sandbox.level !== "privileges")
      expect(found, name).toMatchObject({ reachesNetwork: false, readsEnvironment: false });
  }
});

test("as another user than root the server finds a sandbox too, or says that there is none", async () => {
  if (process.getuid?.() !== 0) return; // then the tests above were this one
  const scratch = mkdtempSync(join(tmpdir(), "tintype-sandbox-user-"));
  const script = `import { chooseSandbox } from ${JSON.stringify(new URL("./sandbox.ts", import.meta.url).href)};
    const { level, uid } = await chooseSandbox(JSON.parse(process.argv[1]));
    console.log(level, uid);`;
  const ask = async (path: string) => {
    const { stdout } = await promisify(execFile)(
      process.execPath,
      ["--input-type=module", "--eval", script, "--", JSON.stringify({ readable, scratch })],
      { uid: 1000, gid: 1000, env: { PATH: path } },
    );
    return stdout.trim();
  };
  try {
    chmodSync(scratch, 0o777);
    expect(await ask(process.env["PATH"] ?? "")).toBe("namespaces undefined");
    expect(await ask(dirnameOf(process.execPath))).toBe("environment undefined");
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
});
const dirnameOf = (path: string) => path.replace(/\/[^/]*$/, "");

const drawing = `<svg xmlns="http://www.w3.org/2000/svg" width="300" height="80"><text x="9" y="50" font-size="40" font-family="serif">Letters</text></svg>`;

test("pictures come out the same in every sandbox, and nothing of them stays", async () => {
  const results = [];
  for (const [index, sandbox] of [noSandbox, ...works].entries()) {
    const scratch = join(folder, "scratch");
    const pool = new EnginePool({ size: 1, scratch, memoryLimitMb: 4000, sandbox, log: { warn() {}, debug() {} } });
    const [inputPath, outputPath] = [join(folder, `in-${index}`), join(folder, `out-${index}`)];
    writeFileSync(inputPath, drawing, { mode: 0o600 });
    const task: Task = {
      name: "convert",
      options: { target_format: "png" },
      inputPath,
      outputPath,
      limits: { megapixelsIn: 100, megapixelsOut: 100 },
    };
    const run = {
      task,
      timeLimitMs: 60_000,
      signal: new AbortController().signal,
      progress() {},
    };
    await expect(pool.run(run)).resolves.toMatchObject({ kind: "done" });
    for (const workdir of readdirSync(scratch)) expect(readdirSync(join(scratch, workdir))).toEqual([]);
    const [pid] = pool.processIds;
    expect(readFileSync(`/proc/${pid}/comm`, "utf8")).toMatch(/^node|MainThread/);
    await pool.close();
    await expect.poll(() => existsSync(`/proc/${pid}`)).toBe(false);
    expect(readdirSync(scratch)).toEqual([]);
    results.push(readFileSync(outputPath));
  }
  for (const result of results.slice(1)) expect(result.equals(results[0] ?? Buffer.alloc(0))).toBe(true);
});

test("a result that is a link to another file is not delivered", async () => {
  const workdir = openEngineWorkdir(join(folder, "scratch"));
  symlinkSync(join(folder, "secret"), join(workdir.path, "out"));
  const outputPath = join(folder, "stolen");
  await expect(workdir.take({ outputPath }, { kind: "done" })).rejects.toThrow("not a plain file");
  expect(existsSync(outputPath)).toBe(false);
  workdir.remove();
});

test("the level is said at the start, and one that is required and missing stops the server", async () => {
  const lines: unknown[] = [];
  const say = (details: object, text: string) => void lines.push({ ...details, text });
  const log = { info: say, warn: say } as never;
  const open = (setting: string) =>
    openSandbox(readConfig({ TINTYPE_DATA: join(folder, "data"), TINTYPE_SANDBOX: setting }), {
      models: {},
      scratch: join(folder, "scratch"),
      log,
    });
  await open("required");
  await open("off");
  // Under root, engines run as another user even without a sandbox.
  const weakest = process.getuid?.() === 0 ? { sandbox: "privileges", uid: 65_530 } : { sandbox: "environment" };
  expect(lines).toMatchObject([{ sandbox: "namespaces" }, weakest]);
  const path = process.env["PATH"];
  process.env["PATH"] = "/nowhere";
  try {
    await expect(open("required")).rejects.toThrow("Install bubblewrap");
    if (process.getuid?.() === 0) await expect(open("auto")).rejects.toThrow("runs as root, and engines do not");
  } finally {
    process.env["PATH"] = path;
  }
});

test("under root without bubblewrap, engines are another user who reads models in the data folder and nothing else there", async () => {
  if (process.getuid?.() !== 0) return; // another user has no other user to give
  const base = mkdtempSync(join(tmpdir(), "tintype-root-"));
  chmodSync(base, 0o755);
  const data = join(base, "data");
  mkdirSync(join(data, "models"), { recursive: true });
  mkdirSync(join(data, "scratch"), { mode: 0o700 });
  chmodSync(data, 0o700);
  writeFileSync(join(data, "secret"), randomBytes(32).toString("hex"), { mode: 0o600 });
  writeFileSync(join(data, "models", "a.onnx"), "weights", { mode: 0o600 });
  const tools = mkdtempSync(join(tmpdir(), "tintype-tools-"));
  for (const tool of ["unshare", "setpriv"]) symlinkSync(`/usr/bin/${tool}`, join(tools, tool));
  const path = process.env["PATH"];
  process.env["PATH"] = tools;
  try {
    const scratch = join(data, "scratch");
    const sandbox = await openSandbox(readConfig({ TINTYPE_DATA: data }), {
      models: { directory: join(data, "models") },
      scratch,
      log: { info() {}, warn() {} } as never,
    });
    expect(sandbox).toMatchObject({ level: "network", uid: 65_530 });
    const workdir = openEngineWorkdir(scratch, sandbox.uid);
    const probe = `const fs = require("node:fs");
      const can = (work) => { try { work(); return true; } catch { return false; } };
      console.log(JSON.stringify({
        uid: process.getuid(),
        readsModel: can(() => fs.readFileSync(process.argv[1] + "/models/a.onnx")),
        readsSecret: can(() => fs.readFileSync(process.argv[1] + "/secret")),
        lists: can(() => fs.readdirSync(process.argv[1])),
        writes: can(() => fs.writeFileSync(process.argv[1] + "/new", "")),
        readsShadow: can(() => fs.readFileSync("/etc/shadow")),
      }));`;
    const [file, ...args] = sandbox.wrap(workdir.path, [process.execPath, "--eval", probe, "--", data]);
    const { stdout } = await promisify(execFile)(file, args, { cwd: workdir.path, env: { PATH: tools } });
    const nothing = { readsSecret: false, lists: false, writes: false, readsShadow: false };
    expect(JSON.parse(stdout)).toEqual({ uid: 65_530, readsModel: true, ...nothing });
  } finally {
    process.env["PATH"] = path;
    for (const folder of [base, tools]) rmSync(folder, { recursive: true, force: true });
  }
});
