import { spawn } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isDeep } from "../../packages/server/src/testing/deep.ts";
import { drawnJpeg } from "../../packages/toolkit/src/testing/drawn-jpeg.ts";
import { ended, type TestCommand, testCommand } from "../tools/command.ts";
import { checkPackage } from "./check-package.ts";
import { installPacked, nodeRelease, nodeReleases, type Packed, plainEnvironment, putNpx } from "./pack.ts";

let packed: Packed;
let room: string;
let command: TestCommand;
beforeAll(async () => {
  packed = await installPacked("@tintype/cli");
  room = mkdtempSync(join(tmpdir(), "tintype-cli-"));
  command = testCommand([join(packed.folder, "node_modules/@tintype/cli/dist/tintype.js")], room);
});
afterAll(() => {
  packed.remove();
  rmSync(room, { recursive: true, force: true });
});

test("the command has all it needs, and publint and are-the-types-wrong find nothing", () =>
  checkPackage(packed, "@tintype/cli"));

const repository = fileURLToPath(new URL("../..", import.meta.url));

/** The command lines of the documents: those of `tintype` and `npx`, in shells, workflows and hooks. */
function documentedLines(): string[] {
  const text = ["README.md", "docs/cli.md", "packages/cli/README.md"]
    .map((path) => readFileSync(join(repository, path), "utf8"))
    .join("\n");
  const blocks = [...text.matchAll(/^```(?:sh|yaml)\n(.*?)^```$/gms)].flatMap(([, block = ""]) => block.split("\n"));
  return blocks.flatMap((line) => {
    const [, hook] = /^ +entry: (npx .*)$/.exec(line) ?? [];
    if (hook) return [`${hook} img/a.jpg`]; // pre-commit adds the files
    const [, shell] = /^(?: *- run: )?((?:cat a[.]png [|] )?(?:tintype|npx) .*)$/.exec(line) ?? [];
    return shell ? [shell] : [];
  });
}

test("the command lines of the documents work as they stand", async () => {
  const folder = join(room, "documented");
  for (const name of ["img/more", "photos", "bin", "dist", "tools"]) mkdirSync(join(folder, name), { recursive: true });
  const photo = await drawnJpeg({ width: 300, height: 200 });
  for (const name of ["img/a.jpg", "img/more/b.jpg", "photos/c.jpg"]) writeFileSync(join(folder, name), photo);
  writeFileSync(join(folder, "a.png"), await sharp(photo).png().toBuffer());
  for (const name of ["dist", "tools"])
    symlinkSync(packed.tarballs[0] ?? "", join(folder, name, "tintype-cli-1.0.0.tgz"));
  symlinkSync(join(packed.folder, "node_modules/.bin/tintype"), join(folder, "bin/tintype"));
  if (!isDeep) putNpx(join(folder, "bin"), "tintype");
  const lines = documentedLines();
  expect(lines.filter((line) => line.startsWith("npx")).length).toBeGreaterThan(2);
  for (const line of new Set(lines)) {
    const [shell = ""] = line.split(" --watch"); // it does not end by itself
    const child = spawn("bash", ["-uc", shell], {
      cwd: folder,
      env: {
        ...plainEnvironment(),
        PATH: `${join(folder, "bin")}:${process.env["PATH"]}`,
        npm_config_prefer_offline: "true",
        XDG_CACHE_HOME: join(room, "cache"),
        XDG_CONFIG_HOME: join(room, "config"),
        XDG_DATA_HOME: join(room, "data"),
      },
    });
    child.stdin.end();
    const { code, stdout, stderr } = await ended(child);
    // `check` ends with 1 where a picture could be smaller.
    expect(line.includes(" check ") ? [0, 1] : [0], `${line}\n${stdout}${stderr}`).toContain(code);
  }
});

test("each release of Node.js gives the same bytes, from files and over pipes", async () => {
  const photo = await drawnJpeg({ width: 200, height: 140 });
  const hashes = new Set<string>();
  for (const major of nodeReleases) {
    const folder = join(room, `node-${major}`);
    mkdirSync(folder);
    writeFileSync(join(folder, "a.jpg"), photo);
    const options = {
      node: await nodeRelease(major),
      cwd: folder,
      environment: { TINTYPE_CACHE: join(folder, "cache") },
    };
    const ran = await command.run(["compress", "a.jpg", "--quality", "70", "--out", "out"], options);
    expect(ran).toMatchObject({ code: 0, stderr: "Pictures stay on this computer.\n" });
    const piped = await command.run(["convert", "--to", "webp", "-"], { ...options, input: photo });
    expect(piped.code).toBe(0);
    expect(piped.bytes.toString("latin1", 8, 12)).toBe("WEBP");
    const set = await command.run(["web-set", "--widths", "100", "a.jpg", "--out", "web"], options);
    expect(set, set.stderr).toMatchObject({ code: 0 });
    hashes.add(
      createHash("sha256")
        .update(readFileSync(join(folder, "out/a.jpg")))
        .update(piped.bytes)
        .update(readFileSync(join(folder, "web/a/a-100.avif")))
        .digest("hex"),
    );
  }
  expect(hashes.size).toBe(1);
});

test("each kind of end has its exit code, and each refusal says what to do", async () => {
  const folder = join(room, "ends");
  mkdirSync(folder);
  writeFileSync(join(folder, "a.jpg"), await drawnJpeg({ width: 60, height: 40 }));
  writeFileSync(join(folder, "broken.jpg"), "this is no picture");
  const at = (...args: string[]) => command.run(args, { cwd: folder });
  expect(await at("compress", "a.jpg", "broken.jpg", "--out", "out")).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("broken.jpg  failed: This file is not an image we can read."),
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
  expect(await command.run(["compress", "a.jpg", "--out", "far", "--server", "http://127.0.0.1:9"], far)).toMatchObject(
    {
      code: 5,
    },
  );
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
});

test("networks that cannot be fetched are told in npm's own words", async () => {
  const environment = { npm_config_registry: "http://127.0.0.1:9/", npm_config_fetch_retries: "0" };
  const { code, stderr } = await command.run(["install", "upscale"], { environment });
  expect(code).toBe(1);
  expect(stderr).toContain("The networks could not be installed: code ECONNREFUSED");
  expect(stderr).not.toContain("Command failed");
});

/** The last picture is large, so that the run has not ended where this process hears late of its first result. */
const sizeOf = (seed: number, last: number) =>
  seed === last ? { width: 4000, height: 3000 } : { width: 900, height: 700 };

test("Ctrl-C stops a run: what is done is whole, and the same command goes on with the rest", async () => {
  const folder = join(room, "stopped");
  mkdirSync(join(folder, "photos"), { recursive: true });
  for (let seed = 1; seed <= 12; seed++)
    writeFileSync(join(folder, "photos", `${seed}.jpg`), await drawnJpeg({ ...sizeOf(seed, 9), seed }));
  const args = ["compress", "photos", "--out", "out", "--json", "--concurrency", "2"];
  const child = command.begin(args, { cwd: folder });
  createInterface({ input: child.stdout }).once("line", () => child.kill("SIGINT"));
  const first = await ended(child);
  expect(first).toMatchObject({ code: 130, stderr: expect.stringMatching(/\d+ files? (?:are|is) not done/) });
  const whole = readdirSync(join(folder, "out"));
  expect(whole.filter((name) => name.startsWith("."))).toEqual([]);
  expect((await command.run(args, { cwd: folder })).code).toBe(0);
  expect(readdirSync(join(folder, "out"))).toHaveLength(12);
});

test.each([100, 24])(
  "on a terminal of %i columns a bar shows files, bytes and time, and goes away for the summary",
  async (columns) => {
    const folder = join(room, `terminal-${columns}`);
    mkdirSync(join(folder, "photos"), { recursive: true });
    for (let seed = 1; seed <= 3; seed++)
      writeFileSync(join(folder, "photos", `${seed}.jpg`), await drawnJpeg({ width: 300, height: 200, seed }));
    const child = command.onTerminal(["compress", "photos", "--out", "out"], {
      cwd: folder,
      columns,
      environment: { TINTYPE_CACHE: join(folder, "cache") },
    });
    child.stdin.end();
    const { code, stdout } = await ended(child);
    expect(code).toBe(0);
    expect(stdout).toMatch(columns > 60 ? /█.*\d\/3 files, .* saved, .* left/ : /█/);
    // The hidden cursor is shown again, and the summary comes last.
    expect(stdout.lastIndexOf("\u001B[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001B[?25l"));
    expect(stdout.trimEnd()).toMatch(/done +3 .*\r?\n[\d.]+ s$/);
  },
);

test("Ctrl-C on a terminal ends the bar and shows the cursor again", async () => {
  const folder = join(room, "terminal-stopped");
  mkdirSync(join(folder, "photos"), { recursive: true });
  for (let seed = 1; seed <= 8; seed++)
    writeFileSync(join(folder, "photos", `${seed}.jpg`), await drawnJpeg({ ...sizeOf(seed, 8), seed }));
  const child = command.onTerminal(["compress", "photos", "--out", "out", "--concurrency", "2"], { cwd: folder });
  let wasStopped = false;
  child.stdout.on("data", (piece: Buffer) => {
    if (wasStopped || !piece.includes("█")) return;
    wasStopped = true;
    child.stdin.write("\u0003");
  });
  const { code, stdout } = await ended(child);
  expect(code).toBe(130);
  expect(stdout).toMatch(/Stopped\.\r?\n\d+ files? (?:are|is) not done/);
  expect(stdout.lastIndexOf("\u001B[?25h")).toBeGreaterThan(stdout.lastIndexOf("\u001B[?25l"));
});
