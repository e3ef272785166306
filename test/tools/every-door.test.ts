import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { Tintype } from "../../packages/client/src/node.ts";
import { runWork } from "../../packages/mcp/src/run-work.ts";
import { openWorkspace } from "../../packages/mcp/src/workspace.ts";
import { startTestApp, type TestApp } from "../../packages/server/src/testing/harness.ts";
import { readStep } from "../../packages/toolkit/src/index.ts";
import { drawnJpeg } from "../../packages/toolkit/src/testing/drawn-jpeg.ts";
import { commandFromSource } from "./command.ts";

const room = mkdtempSync(join(tmpdir(), "tintype-doors-"));
const command = commandFromSource(room);
let app: TestApp;
let key: string;
let onServer: Awaited<ReturnType<typeof openWorkspace>>;
let onComputer: typeof onServer;
beforeAll(async () => {
  vi.stubEnv("XDG_CACHE_HOME", join(room, "cache"));
  app = await startTestApp();
  const person = await app.person("plus");
  const made = await person.call("/api/keys", {
    json: { name: "Doors", scopes: ["process", "jobs:read", "usage:read"] },
  });
  key = ((await made.json()) as { key: string }).key;
  const shared = { folders: [room], maxCredits: 50 };
  onServer = await openWorkspace({ ...shared, server: { origin: app.baseUrl, key } });
  onComputer = await openWorkspace({ ...shared, server: undefined });
});
afterAll(async () => {
  for (const place of [onServer, onComputer]) await place.close();
  vi.unstubAllEnvs();
  command.close();
  await app.close();
  rmSync(room, { recursive: true, force: true });
});

type Wish = { target_format: "jpeg" | "png" | "webp"; max_bytes?: number };
/** Processes the picture at a path. Returns the result's bytes. */
type Door = (path: string, wish: Wish) => Promise<Uint8Array>;

const flagsOf = ({ target_format: to, max_bytes: most }: Wish) => [
  ...["convert", "--to", to, "--no-cache"],
  ...(most === undefined ? [] : ["--max", `${most}`, "--min-quality", "1", "--allow-resize"]),
];
let count = 0;
const newFolder = () => {
  const folder = join(room, `out-${++count}`);
  mkdirSync(folder);
  return folder;
};
const byCommand =
  (...place: string[]): Door =>
  async (path, wish) => {
    const out = newFolder();
    const environment = { TINTYPE_KEY: key };
    const ran = await command.runHere([...flagsOf(wish), path, "--out", out, ...place], { environment });
    expect(ran).toMatchObject({ code: 0 });
    return readFileSync(join(out, "photo"));
  };
const byPipe: Door = async (path, wish) => {
  const piped = await command.run([...flagsOf(wish), "-"], { input: readFileSync(path) });
  expect(piped).toMatchObject({ code: 0 });
  return piped.bytes;
};
const byMcp =
  (isServer: boolean): Door =>
  async (path, { target_format, max_bytes }) => {
    const folder = newFolder();
    writeFileSync(join(folder, "photo"), readFileSync(path));
    const limit = max_bytes === undefined ? {} : { max_bytes, min_quality: 1, allow_resize: true };
    const work = { steps: [readStep("convert", { target_format, ...limit })] } as const;
    const wish = { files: [join(folder, "photo")], output_folder: join(folder, "out") };
    const { result } = await runWork(
      isServer ? onServer : onComputer,
      { work, call: wish, defaultSuffix: "" },
      { signal: new AbortController().signal },
    );
    expect(result.files).toMatchObject([{ outcome: "done" }]);
    return readFileSync(join(folder, "out", "photo"));
  };
const byClient: Door = async (path, { target_format: targetFormat, max_bytes: maxBytes }) => {
  const t = new Tintype({ key, baseUrl: app.baseUrl });
  const limit = maxBytes === undefined ? {} : { maxBytes, minQuality: 1, allowResize: true };
  const { blob } = await t.convert(path, { targetFormat, ...limit });
  return new Uint8Array(await blob.arrayBuffer());
};
const byApi: Door = async (path, { target_format, max_bytes }) => {
  const form = new FormData();
  form.append("files", new File([readFileSync(path)], "photo"));
  form.append("target_format", target_format);
  for (const [name, value] of Object.entries(
    max_bytes === undefined ? {} : { max_bytes, min_quality: 1, allow_resize: true },
  ))
    form.append(name, String(value));
  const headers = { authorization: `Bearer ${key}`, prefer: "return=representation" };
  const answer = await fetch(`${app.baseUrl}/api/convert`, { method: "POST", headers, body: form });
  expect(answer.status).toBe(200);
  return new Uint8Array(await answer.arrayBuffer());
};

const doors: Record<string, Door> = {
  "the command": byCommand(),
  "the command on a server": (path, wish) => byCommand("--server", app.baseUrl)(path, wish),
  "a pipe": byPipe,
  MCP: byMcp(false),
  "MCP on a server": byMcp(true),
  "the client": byClient,
  "the API": byApi,
};

/** EXIF with the place and the author. */
const told = { IFD0: { Artist: "Ann Lee" }, IFD3: { GPSLatitudeRef: "N", GPSLatitude: "51/1 30/1 0/1" } };

/** The latitude as encoded in EXIF, in both byte orders. */
const latitude = ["33000000010000001e00000001000000", "00000033000000010000001e00000001"].map((hex) =>
  Buffer.from(hex, "hex"),
);

test.each(Object.entries(doors))(
  "every result of %s lacks the place, keeps its author, and takes no more bytes than were allowed, also where the format stays",
  async (name, door) => {
    const photo = await drawnJpeg({ width: 160, height: 120 });
    // Each door takes a limit for every other format. Over the doors, each format comes with a limit and without.
    for (const [index, format] of (["jpeg", "png", "webp"] as const).entries()) {
      const path = join(newFolder(), "photo");
      writeFileSync(path, await sharp(photo).withExif(told)[format]().toBuffer());
      expect((await sharp(path).metadata()).exif?.includes("Ann Lee")).toBe(true);
      const limit = (index + Object.keys(doors).indexOf(name)) % 2 === 0 ? { max_bytes: 2500 } : {};
      const result = await door(path, { target_format: format, ...limit });
      const { exif, format: got } = await sharp(result).metadata();
      expect(got).toBe(format);
      for (const order of latitude) expect(exif?.includes(order) ?? false).toBe(false);
      expect(exif?.includes("Ann Lee")).toBe(true);
      expect(result.length).toBeLessThanOrEqual(limit.max_bytes ?? Number.POSITIVE_INFINITY);
    }
  },
);

test("a plain form of the API gets the message that nothing was to be converted, and one with a quality gets a picture", async () => {
  const answers = [];
  for (const wish of [{}, { quality: "40" }]) {
    const form = new FormData();
    form.append("files", new File([new Uint8Array(await drawnJpeg({ width: 90, height: 60 }))], "a.jpg"));
    for (const [name, value] of Object.entries({ source_format: "jpeg", target_format: "jpeg", ...wish }))
      form.append(name, value);
    const headers = { authorization: `Bearer ${key}` };
    const answer = await fetch(`${app.baseUrl}/api/convert`, { method: "POST", headers, body: form });
    answers.push([answer.headers.get("content-type")?.split(";")[0], answer.headers.get("x-credits-charged")]);
  }
  expect(answers).toEqual([
    ["application/json", "0"],
    ["image/jpeg", "1"],
  ]);
});
