import { createWriteStream } from "node:fs";
import {
  access,
  chmod,
  link,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  rm,
  rmdir,
  unlink,
  writeFile,
} from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { DomainError } from "@tintype/contract";
import { newId } from "../id.ts";
import { type BlobPlace, type Blobs, storeIdName } from "./blobs.ts";
import { createInspection } from "./inspect.ts";

/** Maximum bytes per write: a fast upload does not cost a call per packet. */
const pieceBytes = 2 ** 20;
const readBytes = 64 * 1024;

/**
 * Pictures in a dedicated folder, on a local disk or on a network file system that several machines mount. Engines read
 * and write there directly. A result has a temporary name until it is committed.
 */
export async function openFolderBlobs(folder: string): Promise<Blobs> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const folderOf = (jobId: string) => join(folder, jobId);
  const pathOf = ({ jobId, name }: BlobPlace) => join(folder, jobId, name);
  const makeFolder = (jobId: string) => mkdir(folderOf(jobId), { recursive: true, mode: 0o700 });
  return {
    async write(place, stream, options) {
      const inspection = createInspection(options);
      const path = pathOf(place);
      try {
        await makeFolder(place.jobId);
        await pipeline(inspection.pass(stream), createWriteStream(path, { highWaterMark: pieceBytes, mode: 0o600 }));
      } catch (problem) {
        await rm(path, { force: true }).catch(() => {}); // the job's folder goes as a whole in any case
        inspection.throwFailure();
        throw unavailable(problem);
      }
      return inspection.stored();
    },
    async checkout(place) {
      const path = pathOf(place);
      await access(path).catch(fail);
      return { path, release: async () => {} };
    },
    async draft(place) {
      // A unique name: two workers may write the same result, one of them after losing its lease.
      const path = `${pathOf(place)}.${newId("draft")}`;
      await makeFolder(place.jobId).catch(fail);
      return {
        path,
        async commit() {
          await chmod(path, 0o600).catch(fail);
          await rename(path, pathOf(place)).catch(fail);
        },
        discard: () => rm(path, { force: true }),
      };
    },
    async read(place, range) {
      const file = await open(pathOf(place)).catch(fail);
      return file.createReadStream({
        highWaterMark: readBytes,
        ...(range ? { start: range.first, end: range.last } : {}),
      });
    },
    async remove(jobId, name) {
      const removal = name === undefined ? removeFolder(folderOf(jobId)) : rm(pathOf({ jobId, name }), { force: true });
      await removal.catch(fail);
    },
    async identify() {
      const id = newId("store");
      const path = join(folder, storeIdName);
      const draft = `${path}.${id}`;
      try {
        await writeFile(draft, id, { mode: 0o600 });
        // Atomic, and fails if another process was first.
        await link(draft, path).catch((problem: NodeJS.ErrnoException) => {
          if (problem.code !== "EEXIST") throw problem;
        });
        return await readFile(path, "utf8");
      } catch (cause) {
        const { code } = cause as NodeJS.ErrnoException; // node:fs throws errno errors only
        throw new Error(`TINTYPE_BLOBS: ${folder} cannot be written and read (${code}).`, { cause });
      } finally {
        await rm(draft, { force: true }).catch(() => {}); // it could not be written
      }
    },
    async close() {},
  };
}

const fail = (problem: unknown): never => {
  throw errorOf(problem);
};

/** A missing file is gone. A full disk, or a network file system that does not respond, may recover. */
function errorOf(problem: unknown): DomainError {
  const { code } = problem as NodeJS.ErrnoException; // node:fs throws errno errors only
  return code === "ENOENT" ? new DomainError("gone", { cause: problem }) : unavailable(problem);
}
const unavailable = (cause: unknown) => new DomainError("unavailable", { retryAfterSeconds: 5, cause });

/** `rm` takes three times the calls: it only removes what a process that is just ending has still written into the folder. */
async function removeFolder(path: string): Promise<void> {
  try {
    await Promise.all((await readdir(path)).map((name) => unlink(join(path, name))));
    await rmdir(path);
  } catch {
    await rm(path, { recursive: true, force: true });
  }
}
