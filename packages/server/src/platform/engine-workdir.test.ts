import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openEngineWorkdir } from "./engine-workdir.ts";

const secretText = "what only the server may read";
/** The engines' user when the server runs as root. Other users cannot give files away. */
const uid = process.getuid?.() === 0 ? 65_530 : undefined;

let folder: string;
/** A folder on another disk, so that files are copied. */
let elsewhere: string;
let secret: string;
let engine: ChildProcess | undefined;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "tintype-workdir-"));
  elsewhere = mkdtempSync("/dev/shm/tintype-workdir-");
  expect(statSync(elsewhere).dev).not.toBe(statSync(folder).dev);
  secret = join(folder, "secret");
  writeFileSync(secret, secretText, { mode: 0o600 });
  mkdirSync(join(folder, "scratch"), { mode: 0o711 });
});
afterEach(() => {
  engine?.kill("SIGKILL");
  for (const one of [folder, elsewhere]) rmSync(one, { recursive: true, force: true });
});

/** A compromised engine: it keeps replacing a file of its workdir by a link. */
async function startHostile(workdir: string, { name, makesFile }: { name: string; makesFile: boolean }): Promise<void> {
  const script = `
    const fs = require("node:fs"), [name, secret] = process.argv.slice(1);
    const attempt = (work) => { try { return work(); } catch {} };
    console.log("at it");
    for (;;) {
      if (${makesFile}) attempt(() => { fs.writeFileSync("plain", "result"); fs.renameSync("plain", name); });
      attempt(() => fs.symlinkSync(secret, "link"));
      if (${makesFile} || attempt(() => fs.lstatSync(name).isFile())) attempt(() => fs.renameSync("link", name));
    }`;
  engine = spawn(process.execPath, ["--eval", script, "--", name, secret], {
    cwd: workdir,
    stdio: ["ignore", "pipe", "inherit"],
    ...(uid === undefined ? {} : { uid, gid: uid }),
  });
  if (engine.stdout) await once(engine.stdout, "data");
}

test.each([
  ["linked", () => folder],
  ["copied from another disk", () => elsewhere],
])("an engine that puts a link in the place of a picture that is %s gets no file of the server", async (_, from) => {
  const workdir = openEngineWorkdir(join(folder, "scratch"), uid);
  await startHostile(workdir.path, { name: "in", makesFile: false });
  const before = statSync(secret);
  for (let task = 0; task < 300; task++) {
    const inputPath = join(from(), `picture-${task}`);
    writeFileSync(inputPath, "a picture", { mode: 0o600 });
    await workdir
      .linkPictures({
        name: "upload",
        options: {},
        inputPath,
        outputPath: "x",
        limits: { megapixelsIn: 1, megapixelsOut: 1 },
      })
      .catch(() => {});
    rmSync(join(workdir.path, "in"), { force: true });
  }
  const { uid: owner, mode } = statSync(secret);
  expect({ owner, mode }).toEqual({ owner: before.uid, mode: before.mode });
  expect(readFileSync(secret, "utf8")).toBe(secretText);
});

test("an engine that puts a link in the place of its result has no file of the server delivered", async () => {
  const workdir = openEngineWorkdir(join(folder, "scratch"), uid);
  await startHostile(workdir.path, { name: "out", makesFile: true });
  for (let task = 0; task < 2000; task++) {
    const to = join(elsewhere, `result-${task}`);
    const taken = await workdir.take({ outputPath: to }, { kind: "done" }).then(
      () => readFileSync(to, "utf8"),
      () => "",
    );
    expect(taken).not.toBe(secretText);
    rmSync(to, { force: true });
  }
});
