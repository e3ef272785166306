import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, beforeEach, expect, test, vi } from "vitest";
import { ownCertificate, ownKey } from "../../packages/client/src/testing/own-certificate.ts";
import { openWorkspace } from "../../packages/mcp/src/workspace.ts";
import { startTestApp, type TestApp } from "../../packages/server/src/testing/harness.ts";
import { drawnJpeg } from "../../packages/toolkit/src/testing/drawn-jpeg.ts";
import { commandFromSource, ended } from "./command.ts";

const room = mkdtempSync(join(tmpdir(), "tintype-command-"));
const command = commandFromSource(room);
let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(async () => {
  command.close();
  await app.close();
  rmSync(room, { recursive: true, force: true });
});

const folderOf = (name: string) => {
  mkdirSync(join(room, name, "photos"), { recursive: true });
  return join(room, name);
};
const newKey = async () => {
  const person = await app.person();
  const scopes = ["process", "jobs:read", "usage:read"];
  const made = await person.call("/api/keys", { json: { name: "Tool", scopes } });
  return { person, key: ((await made.json()) as { key: string }).key };
};

test("out of credits in the middle of a run: the paid files are whole, the others wait, and a sentence says until when", async () => {
  const { person, key } = await newKey();
  const tiny = await drawnJpeg({ width: 8, height: 8 });
  for (const count of [20, 20, 20, 20, 17]) {
    const files = Array.from({ length: count }, (_, i) => ({ name: `${i}.jpg`, bytes: tiny }));
    // Not compress: it costs nothing if it saves nothing.
    expect((await person.run("convert", files, { target_format: "png" })).status).toBe(200);
  }
  const folder = folderOf("few-credits");
  for (let seed = 1; seed <= 6; seed++)
    writeFileSync(join(folder, "photos", `${seed}.jpg`), await drawnJpeg({ width: 80, height: 60, seed }));
  writeFileSync(join(folder, "photos", "0-broken.jpg"), "this is no picture");
  const args = ["compress", "photos", "--out", "out", "--concurrency", "1", "--server", app.baseUrl];
  const environment = { TINTYPE_KEY: key };
  const { code, stdout, stderr } = await command.runHere(args, { cwd: folder, environment });
  expect(code).toBe(4);
  expect(stdout).toMatch(/^done +3 /m);
  const sentence = "You have used all 100 credits this month.";
  expect(stdout).toContain(`photos/4.jpg  failed: ${sentence}`);
  // The common reason is shown once, not on a line for each waiting file, of which there can be hundreds.
  expect(stdout.split(sentence)).toHaveLength(2);
  expect(stdout).toMatch(/^photos\/6[.]jpg {2}not done$/m);
  expect(stderr).toContain(sentence);
  expect(stderr).toContain("New credits come on 2026-04-01 at 00:00 UTC.\n2 files are not done.");
  expect(readdirSync(join(folder, "out")).sort()).toEqual(["1.jpg", "2.jpg", "3.jpg"]);
  // A quote gives the price even without enough credits, lists each refusal once, and knows which files are done.
  const quoted = await command.runHere(["quote", "--compress", "photos", "--server", app.baseUrl], {
    cwd: folder,
    environment,
  });
  expect(quoted.code).toBe(4);
  expect(quoted.stdout).toMatch(/^7 files [(]3 known[)], 3 credits$/m);
  expect(quoted.stdout.match(/You have used all 100 credits/g)).toHaveLength(1);
  expect(quoted.stdout).toMatch(/^photos\/0-broken[.]jpg {2}refused/m);
  // Files that are done are known and need no credits.
  const again = await command.runHere(["compress", "photos/1.jpg", ...args.slice(2)], { cwd: folder, environment });
  expect(again).toMatchObject({ code: 0, stdout: expect.stringContaining("known") });
});

const credentials = () => join(room, "config", "tintype", "credentials.json");

beforeEach(() => rmSync(credentials(), { force: true }));

/** Signs in on a terminal and types text at the prompt. */
async function typed(text: string, environment: Record<string, string> = {}) {
  const child = command.onTerminal(["login", "--server", app.baseUrl], {
    // No program to open a browser with.
    environment: { PATH: "/usr/bin:/bin", BROWSER: "", ...environment },
  });
  let seen = "";
  child.stdout.on("data", (piece: Buffer) => {
    const before = seen;
    seen += piece.toString();
    if (!before.includes("Key: ") && seen.includes("Key: ")) child.stdin.write(text);
  });
  return { ...(await ended(child)), seen };
}

test("login on a terminal asks for a key, shows none of it, and keeps it for its owner alone", async () => {
  const { key } = await newKey();
  const { code, seen } = await typed(`${key}\r`);
  expect(seen).toContain(`at ${app.baseUrl}/account/keys`);
  expect(seen).toContain(`Signed in at ${app.baseUrl} as`);
  expect(seen).not.toContain(key.slice(8));
  expect(code).toBe(0);
  expect(statSync(credentials()).mode & 0o777).toBe(0o600);
  expect((await command.runHere(["logout"])).code).toBe(0);
  expect(existsSync(credentials())).toBe(false);
});

test.each([
  ["Ctrl-C", "\u0003", "No key was given"],
  ["Ctrl-D", "\u0004", "No key was given"],
  ["a word that is no key", "password\r", "This is no API key"],
  ["a key that the server does not know", "tt_live_0000000000000000000000000000\r", "key"],
])("login on a terminal ends with a sentence at %s, and keeps nothing", async (_, text, sentence) => {
  const { code, seen } = await typed(text);
  expect(code).toBe(text.startsWith("password") ? 2 : 3);
  expect(seen).toMatch(new RegExp(`\ntintype: .*${sentence}`));
  expect(seen).not.toContain("at file:");
  expect(existsSync(credentials())).toBe(false);
});

test.each([
  ["TERM=dumb", { TERM: "dumb" }],
  ["TERM=dumb and FORCE_COLOR", { TERM: "dumb", FORCE_COLOR: "3" }],
])("a terminal with %s gets plain lines", async (_, environment) => {
  const folder = folderOf(`dumb-${Object.keys(environment).length}`);
  for (const seed of [1, 2])
    writeFileSync(join(folder, "photos", `${seed}.jpg`), await drawnJpeg({ width: 40, height: 30, seed }));
  const child = command.onTerminal(["compress", "photos", "--out", "out"], { cwd: folder, environment });
  child.stdin.end();
  const { code, stdout } = await ended(child);
  expect(code).toBe(0);
  expect(stdout).not.toContain("\u001B");
  expect(stdout).toMatch(/1\.jpg {2}\d/);
});

test("no colour is written on a terminal with NO_COLOR, nor to a pipe with FORCE_COLOR", async () => {
  const folder = folderOf("colours");
  for (const seed of [1, 2])
    writeFileSync(join(folder, "photos", `${seed}.jpg`), await drawnJpeg({ width: 40, height: 30, seed }));
  const child = command.onTerminal(["compress", "photos", "--out", "a"], {
    cwd: folder,
    environment: { NO_COLOR: "1" },
  });
  child.stdin.end();
  const { stdout } = await ended(child);
  expect(stdout).toContain("█");
  // Only sequences that end in m set colours. The bar uses others to move the cursor.
  expect(stdout.split("\u001B[").filter((after) => /^[\d;]*m/.test(after))).toEqual([]);
  const environment = { FORCE_COLOR: "3" };
  for (const args of [["--help"], ["compress", "photos", "--out", "b"], ["compress", "photos", "--qualty", "3"]]) {
    const piped = await command.run(args, { cwd: folder, environment });
    expect(piped.stdout + piped.stderr).not.toContain("\u001B");
  }
});

test("a folder for results that the configuration names is no source of a second run", async () => {
  const folder = folderOf("configured");
  writeFileSync(join(folder, "photos", "a.jpg"), await drawnJpeg({ width: 40, height: 30, seed: 4 }));
  writeFileSync(join(folder, "tintype.config.json"), JSON.stringify({ out: "dist" }));
  for (let i = 0; i < 2; i++) expect((await command.runHere(["compress", "."], { cwd: folder })).code).toBe(0);
  expect(readdirSync(join(folder, "dist"), { recursive: true })).toEqual(["photos", join("photos", "a.jpg")]);
});

test("a repository's file gives the key and the pictures to no server, and a server elsewhere is spoken to by https alone", async () => {
  const folder = folderOf("foreign");
  writeFileSync(join(folder, "photos", "a.jpg"), await drawnJpeg({ width: 40, height: 30 }));
  const names = knowingNames({ "pictures.example": "203.0.113.9", "127.0.0.1.example": "203.0.113.9" });
  const environment = { TINTYPE_KEY: "tt_live_0000000000000000000000000000", ...names };
  const run = (...args: string[]) => command.runHere(args, { cwd: folder, environment });
  for (const address of ["http://pictures.example", "http://127.0.0.1.example", "http://203.0.113.9:3000"]) {
    const refused = await run("compress", "photos", "--out", "out", "--server", address);
    const sentence = `${address} would receive your key and images without encryption. Use https://.\n`;
    expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining(sentence) });
  }
  writeFileSync(join(folder, "tintype.config.json"), JSON.stringify({ server: app.baseUrl }));
  const refused = await run("compress", "photos", "--out", "out");
  expect(refused).toMatchObject({
    code: 2,
    stderr: expect.stringContaining(`"server" cannot be set in a project's file`),
  });
  expect(existsSync(join(folder, "out"))).toBe(false);
});

/** The environment of a command for which these names have these addresses. */
function knowingNames(addresses: Record<string, string>) {
  const path = join(room, `names-${Object.keys(addresses).join("-")}.cjs`);
  const known = JSON.stringify(addresses);
  writeFileSync(
    path,
    `const dns = require("node:dns");
const { lookup } = dns;
dns.lookup = (name, ...rest) => lookup(${known}[name] ?? name, ...rest);
`,
  );
  return { NODE_OPTIONS: `--require ${path}` };
}

test("a server in a private network is spoken to in plain http if a person names it, with one warning, and never because of the environment", async () => {
  const { key } = await newKey();
  const folder = folderOf("private");
  for (const seed of [1, 2])
    writeFileSync(join(folder, "photos", `${seed}.jpg`), await drawnJpeg({ width: 40, height: 30, seed }));
  const server = app.baseUrl.replace("127.0.0.1", "nas.lan");
  const names = knowingNames({ "nas.lan": "127.0.0.1" });
  // A process warns once.
  const run = (args: string[], environment: Record<string, string> = {}) =>
    command.run(args, { cwd: folder, environment: { ...names, ...environment } });
  const warnings = (stderr: string) => stderr.split("\n").filter((line) => /warning|encrypt/i.test(line));
  const warning = `Warning: Your key and images travel to ${server} unencrypted. Anyone on the network can read them.`;
  const work = ["compress", "photos", "--out", "out"];
  const flagged = await run([...work, "--server", server], { TINTYPE_KEY: key });
  expect([flagged.code, warnings(flagged.stderr)]).toEqual([0, [warning]]);
  const refused = await run(work, { TINTYPE_KEY: key, TINTYPE_SERVER: server });
  expect(refused).toMatchObject({ code: 2, stderr: expect.stringContaining("can be named with --server") });
  const login = await command.run(["login", "--server", server], { cwd: folder, environment: names, input: key });
  expect([login.code, warnings(login.stderr)]).toEqual([0, [warning]]);
  for (const args of [["whoami"], [...work, "--no-cache"]]) {
    const ran = await run(args);
    expect([ran.code, warnings(ran.stderr)]).toEqual([0, [warning]]);
  }
  // Nothing is sent: there is nothing to warn of.
  for (const args of [[...work, "--offline"], ["logout"]]) {
    const ran = await run(args);
    expect([ran.code, warnings(ran.stderr)]).toEqual([0, []]);
  }
});

test("a folder that holds anything else is not taken for the cache", async () => {
  const folder = folderOf("chosen-cache");
  writeFileSync(join(folder, "photos", "a.jpg"), await drawnJpeg({ width: 40, height: 30 }));
  const run = (cache: string) =>
    command.runHere(["compress", "photos", "--out", "out"], { cwd: folder, environment: { TINTYPE_CACHE: cache } });
  expect(await run("photos")).toMatchObject({ code: 2, stderr: expect.stringContaining("is no cache of Tintype") });
  for (let i = 0; i < 2; i++) expect((await run(".cache")).code).toBe(0);
});

test("without the cache an own result is still known in place, and results may go around their sources", async () => {
  const folder = folderOf("without-cache");
  const path = join(folder, "photos", "a.jpg");
  writeFileSync(path, await drawnJpeg({ width: 100, height: 60, seed: 5 }));
  const run = (...args: string[]) => command.runHere(args, { cwd: folder });
  for (let i = 0; i < 2; i++)
    expect((await run("resize", "photos", "--percent", "90", "--in-place", "--no-cache")).code).toBe(0);
  expect((await sharp(path).metadata()).width).toBe(90);
  expect((await run("convert", "photos/*.jpg", "--to", "webp", "--out", ".")).code).toBe(0);
  expect(readdirSync(folder)).toContain("a.webp");
  expect((await run("compress", "photos", "--out", "")).stderr).toContain("Please name a folder with --out.");
});

test("an output that is full ends the command with a sentence", async () => {
  const photo = await drawnJpeg({ width: 40, height: 30 });
  const child = command.inShell(["compress", "-"], { redirection: "> /dev/full" });
  child.stdin.end(photo);
  const { code, stderr } = await ended(child);
  expect({ code, stderr }).toEqual({
    code: 1,
    stderr: expect.stringMatching(/^tintype: The output cannot be written \(ENOSPC\)\.$/m),
  });
  expect(stderr).not.toContain("    at ");
});

/** A folder of pictures whose last one takes longer than a busy machine needs to hear of the first one's result. */
async function folderOfMany(name: string): Promise<string> {
  const folder = folderOf(name);
  for (let seed = 1; seed <= 8; seed++) {
    const size = seed === 8 ? { width: 4000, height: 3000 } : { width: 900, height: 700 };
    writeFileSync(join(folder, "photos", `${seed}.jpg`), await drawnJpeg({ ...size, seed }));
  }
  return folder;
}

test("a reader that leaves early ends the command, which does not say that all is done", async () => {
  const folder = await folderOfMany("left");
  const args = ["compress", "photos", "--out", "out", "--json", "--concurrency", "2"];
  const child = command.begin(args, { cwd: folder });
  child.stdout.once("data", () => child.stdout.destroy());
  const { code, stderr } = await ended(child);
  expect({ code, stderr }).toEqual({ code: 1, stderr: "Pictures stay on this computer.\n" });
  expect(readdirSync(join(folder, "out")).length).toBeLessThan(8);
});

test("Ctrl-C in the first pass of a watch leaves files undone, and says so by its code too", async () => {
  const folder = await folderOfMany("watched-cut");
  const args = ["compress", "photos", "--out", "out", "--watch", "--concurrency", "2"];
  const child = command.begin(args, { cwd: folder });
  child.stdout.once("data", () => child.kill("SIGINT"));
  expect(await ended(child)).toMatchObject({ code: 130, stderr: expect.stringMatching(/files? (?:are|is) not done/) });
});

test("a failure above the bar of a narrow terminal takes as many lines as it needs", async () => {
  const folder = folderOf("narrow");
  for (const name of ["a", "b"]) writeFileSync(join(folder, "photos", `${name}-${"long".repeat(10)}.jpg`), "none");
  const child = command.onTerminal(["compress", "photos", "--out", "out"], { cwd: folder, columns: 40 });
  child.stdin.end();
  const { code, stdout } = await ended(child);
  expect(code).toBe(1);
  expect(stdout).toContain("failed: This file is not an image we can read.");
  // This sequence disables line wrapping.
  expect(stdout).not.toContain("\u001B[?7l");
});

test("a quote takes a folder behind an option, and a fault of an option names its flag", async () => {
  const folder = folderOf("quoted");
  writeFileSync(join(folder, "photos", "a.jpg"), await drawnJpeg({ width: 80, height: 60 }));
  const run = (...args: string[]) => command.runHere(args, { cwd: folder });
  const said = { code: 0, stdout: expect.stringContaining("1 file, no credits") };
  expect(await run("quote", "--compress", "photos")).toMatchObject(said);
  expect(await run("quote", "--compress", "60", "photos")).toMatchObject(said);
  expect(await run("quote", "--remove-background", "photos")).toMatchObject(said);
  expect(await run("quote", "--compress")).toMatchObject({ code: 2, stderr: expect.stringContaining("name files") });
  expect(await run("compress", "photos", "--out", "out")).toMatchObject({ code: 0 });
  expect((await run("quote", "--compress", "photos")).stdout).toContain("1 file (1 known)");
  expect(await run("convert", "photos", "--out", "out")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("(--to)"),
  });
  expect(await run("upscale", "photos", "--factor", "3", "--out", "out")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("(--scale-factor)"),
  });
});

test("a profile that cannot be chosen yet is a fault of the command line, as in a recipe", async () => {
  const folder = folderOf("later-profile");
  writeFileSync(join(folder, "photos", "a.jpg"), await drawnJpeg({ width: 80, height: 60 }));
  const cut = await command.runHere(["remove-background", "photos", "--profile", "sam_manual"], { cwd: folder });
  expect(cut).toMatchObject({ code: 2, stderr: expect.stringContaining("coming soon") });
});

test("a limit that cannot be held is told in the words of the command line", async () => {
  const folder = folderOf("limit");
  writeFileSync(join(folder, "photos", "a.jpg"), await drawnJpeg({ width: 400, height: 300 }));
  const { code, stdout } = await command.runHere(["compress", "photos", "--max", "1kb", "--out", "out"], {
    cwd: folder,
  });
  expect(code).toBe(1);
  expect(stdout).toContain("a lower --min-quality, or --allow-resize");
});

test("a watched picture that was seen half-written is done once it is whole, and is no failure in the end", async () => {
  const folder = folderOf("watched");
  const photo = await drawnJpeg({ width: 400, height: 300 });
  const child = command.begin(["compress", "photos", "--out", "out", "--watch"], { cwd: folder });
  const path = join(folder, "photos", "a.jpg");
  let seen = "";
  const advance = (piece: Buffer) => {
    const before = seen;
    seen += piece.toString();
    const isNew = (sign: RegExp) => sign.test(seen) && !sign.test(before);
    if (isNew(/Watching photos/)) writeFileSync(path, photo.subarray(0, photo.length / 2));
    if (isNew(/a\.jpg {2}failed/)) writeFileSync(path, photo);
    if (isNew(/a\.jpg {2}\d.* -> /)) child.kill("SIGINT");
  };
  child.stdout.on("data", advance);
  child.stderr.on("data", advance);
  const { code, stdout } = await ended(child);
  expect(code).toBe(0);
  expect(stdout).toMatch(/^done +1 /m);
  expect(stdout).not.toMatch(/^failed +\d/m);
  expect(readdirSync(join(folder, "out"))).toEqual(["a.jpg"]);
});

test("a web set lies as files in the folder for results, the same from this computer and from a server", async () => {
  const folder = folderOf("web-set");
  writeFileSync(join(folder, "photos", "boat.jpg"), await drawnJpeg({ width: 96, height: 64 }));
  const { key, person } = await newKey();
  const args = ["web-set", "--widths", "24,48", "--formats", "webp,jpeg", "--alt", "A boat"];
  const run = (out: string, ...more: string[]) =>
    command.runHere([...args, "photos", "--out", out, ...more], { cwd: folder, environment: { TINTYPE_KEY: key } });
  const here = await run("here", "--offline");
  expect(here, here.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("here/boat") });
  const there = await run("there", "--server", app.baseUrl, "--json");
  expect(JSON.parse(there.stdout)).toMatchObject({ outcome: "done", result: "there/boat", width: 48, credits: 1 });
  const files = ["boat-24.jpg", "boat-24.webp", "boat-48.jpg", "boat-48.webp", "picture.html", "set.json"];
  for (const out of ["here", "there"]) expect(readdirSync(join(folder, out, "boat")).sort(), out).toEqual(files);
  for (const file of files)
    expect(readFileSync(join(folder, "here", "boat", file)), file).toEqual(
      readFileSync(join(folder, "there", "boat", file)),
    );
  // Known pictures cost nothing, even in a batch.
  writeFileSync(join(folder, "photos", "lake.jpg"), await drawnJpeg({ width: 80, height: 60, seed: 2 }));
  writeFileSync(join(folder, "photos", "hill.jpg"), await drawnJpeg({ width: 80, height: 60, seed: 3 }));
  expect(await run("there", "--server", app.baseUrl)).toMatchObject({ code: 0 });
  expect(readdirSync(join(folder, "there")).sort()).toEqual(["boat", "hill", "lake"]);
  expect(await (await person.call("/api/user-info")).json()).toMatchObject({ service_count: 3 });
});

test("a web set goes through a pipe as a ZIP, and without a folder for results it is refused before any work", async () => {
  const folder = folderOf("web-set-alone");
  const picture = await drawnJpeg({ width: 40, height: 30 });
  writeFileSync(join(folder, "photos", "a.jpg"), picture);
  const piped = await command.run(["web-set", "--widths", "20", "--formats", "webp", "-"], { input: picture });
  expect(piped.code).toBe(0);
  expect(piped.bytes.subarray(0, 4).toString("latin1")).toBe("PK\u0003\u0004");
  expect(piped.bytes.includes("picture-20.webp")).toBe(true);
  for (const more of [[], ["--in-place"], ["--suffix", ".web"]]) {
    const refused = await command.runHere(["web-set", "photos", ...more], { cwd: folder });
    expect(refused.code).toBe(2);
    expect(refused.stderr).toContain("Please choose where the web sets go: --out <folder>.");
  }
  const quoted = await command.runHere(["quote", "--web-set", "widths=20,40,quality=80", "photos"], { cwd: folder });
  expect(quoted, quoted.stderr).toMatchObject({ code: 0, stdout: expect.stringContaining("1 file") });
  expect((await command.runHere(["quote", "--web-set", "20,40", "photos"], { cwd: folder })).code).toBe(0);
});

test("a server with a certificate of its own is told apart from one that is down, in the command and in MCP", async () => {
  const server = createServer({ key: ownKey, cert: ownCertificate }, (_, answer) => answer.end("hello"));
  await once(server.listen(0, "127.0.0.1"), "listening");
  const origin = `https://localhost:${(server.address() as AddressInfo).port}`; // a TCP server has one
  const cwd = folderOf("certificate");
  writeFileSync(join(cwd, "a.jpg"), await drawnJpeg({ width: 60, height: 40 }));
  writeFileSync(join(cwd, "own.pem"), ownCertificate);
  const compress = (address: string, environment = {}) =>
    command.runHere(["compress", "a.jpg", "--out", "out", "--server", address], {
      cwd,
      environment: { TINTYPE_KEY: "tt_live_x", ...environment },
    });
  try {
    const unknown = await compress(origin);
    expect(unknown).toMatchObject({ code: 5, stdout: expect.stringMatching(/unknown authority.*NODE_EXTRA_CA_CERTS/) });
    const trusted = await compress(origin, { NODE_EXTRA_CA_CERTS: join(cwd, "own.pem") });
    expect(trusted).toMatchObject({ code: 5, stdout: expect.stringContaining("does not answer as a Tintype server") });
    vi.stubEnv("XDG_CACHE_HOME", join(room, "cache"));
    const place = await openWorkspace({ folders: [cwd], maxCredits: 1, server: { origin, key: "tt_live_x" } });
    await expect(place.account?.usage()).rejects.toThrow(/unknown authority.*NODE_EXTRA_CA_CERTS/);
    await place.close();
  } finally {
    vi.unstubAllEnvs();
    server.closeAllConnections();
    server.close();
  }
  const down = await compress(origin);
  expect(down).toMatchObject({ code: 5, stdout: expect.stringMatching(/refuses the connection [(].*ECONNREFUSED/) });
});

test("check tells its faults as annotations of GitHub and as SARIF, and one picture is no pictures", async () => {
  const folder = folderOf("reports");
  writeFileSync(join(folder, "photos", "a,b 100%.jpg"), await drawnJpeg({ width: 300, height: 200 }));
  const check = (...args: string[]) =>
    command.runHere(["check", "photos", "--quality", "10", ...args], { cwd: folder });
  const plain = await check();
  expect(plain).toMatchObject({
    code: 1,
    stdout: expect.stringContaining("1 of 1 picture could be smaller by more than 10%, or cannot be read.\n"),
  });
  expect((await check("--percent", "100")).stdout).toBe("1 picture, it could not be smaller by more than 100%.\n");
  const github = await check("--format", "github");
  expect([github.code, github.stdout]).toEqual([
    1,
    expect.stringMatching(
      /^::error file=photos\/a%2Cb 100%25\.jpg,title=Picture could be smaller::[\d.]+ kB could be [\d.]+ k?B \(-\d+%25\)\n1 of 1 picture /,
    ),
  ]);
  writeFileSync(join(folder, "photos", "b.jpg"), "this is no picture");
  const sarif = await check("--format", "sarif");
  expect(sarif.code).toBe(1);
  const log = JSON.parse(sarif.stdout) as {
    version: string;
    runs: { tool: { driver: { name: string; rules: { id: string }[] } }; results: object[] }[];
  };
  expect(log.version).toBe("2.1.0");
  const [{ tool, results } = { tool: undefined, results: [] }] = log.runs;
  expect(tool?.driver).toMatchObject({ name: "tintype", version: expect.stringMatching(/^\d+\.\d+\.\d+/) });
  const place = (uri: string) => [{ physicalLocation: { artifactLocation: { uri } } }];
  expect(results).toEqual([
    expect.objectContaining({
      ruleId: "picture-could-be-smaller",
      level: "error",
      locations: place("photos/a%2Cb%20100%25.jpg"),
    }),
    expect.objectContaining({ ruleId: "picture-cannot-be-read", locations: place("photos/b.jpg") }),
  ]);
  expect(await check("--format", "xml")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("text, json, github, sarif"),
  });
  expect(await check("--format", "sarif", "--json")).toMatchObject({
    code: 2,
    stderr: expect.stringContaining("not both"),
  });
});

test("an empty folder is refused, or allowed by name, and what is excluded is neither checked, priced nor processed", async () => {
  const folder = folderOf("finding");
  const at = (...args: string[]) => command.runHere(args, { cwd: folder });
  for (const args of [
    ["check", "photos"],
    ["quote", "--compress", "photos"],
    ["compress", "photos", "--out", "out"],
  ]) {
    expect(await at(...args), args[0]).toMatchObject({
      code: 2,
      stderr: expect.stringContaining("There is no picture"),
    });
    expect(await at(...args, "--allow-empty"), args[0]).toMatchObject({ code: 0 });
  }
  for (const name of ["a.jpg", "b.jpg"])
    writeFileSync(join(folder, "photos", name), await drawnJpeg({ width: 60, height: 40 }));
  const without = ["--exclude", "b.*"];
  expect((await at("check", "photos", "--percent", "100", ...without)).stdout).toContain("1 picture,");
  expect((await at("quote", "--compress", "photos", ...without)).stdout).toContain("1 file (");
  await at("compress", "photos", "--out", "out", "--keep-dates", ...without);
  expect(readdirSync(join(folder, "out"))).toEqual(["a.jpg"]);
  expect(statSync(join(folder, "out", "a.jpg")).mtimeMs).toBeCloseTo(
    statSync(join(folder, "photos", "a.jpg")).mtimeMs,
    -1,
  );
});
