import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { NodeFS } from "@electric-sql/pglite/nodefs";
import { drizzle } from "drizzle-orm/node-postgres";
import pg from "pg";
import type { OpenDatabase } from "./database.ts";
import { lockFolder } from "./folder-lock.ts";
import { migrateForward } from "./migrate.ts";
import { PgliteSocket } from "./pglite-socket.ts";

/** Where the database is: in a folder that outlives the process, or in memory, optionally as a copy of another. */
export type PglitePlace = { folder: string } | { copyOf?: Blob };

/**
 * PostgreSQL inside this process, stored in a folder or in memory. It survives a killed process. It never calls fsync, so
 * a power failure can lose the last moments.
 * @throws Error when another process has the folder open (PGlite itself would let both write and corrupt it), or a newer
 * release has migrated it
 */
export async function openPglite(place: PglitePlace = {}): Promise<OpenDatabase> {
  const folder = "folder" in place ? place.folder : undefined;
  if (folder) await mkdir(join(folder, "pgdata"), { recursive: true, mode: 0o700 });
  const unlock = folder ? await lockFolder(folder) : undefined;
  let client: PGlite | undefined;
  let pool: pg.Pool | undefined;
  const close = async () => {
    await pool?.end();
    await client?.close();
    await unlock?.();
  };
  try {
    const opened = await PGlite.create({
      startParams: [...PGlite.defaultStartParams, "-c", `shared_buffers=${sharedBuffers}`],
      ...(folder ? { fs: new PrivateNodeFs(join(folder, "pgdata")) } : {}),
      ...("copyOf" in place && place.copyOf ? { loadDataDir: place.copyOf } : {}),
    });
    client = opened;
    // One connection, since PGlite has one session: further queries wait.
    pool = new pg.Pool({
      max: 1,
      idleTimeoutMillis: 0,
      user: "postgres",
      database: "postgres",
      stream: () => new PgliteSocket(opened),
      Client: PreparedClient,
    });
    const db = drizzle(pool);
    await migrateForward(db);
    return { db, exclusive: true, close };
  } catch (problem) {
    await close().catch(() => {}); // the first error says more
    throw problem;
  }
}

/**
 * PostgreSQL's cache, all of which is resident from the start. The default, 128 MB, was a fifth of the service's memory at rest.
 * What it does not hold, the system's cache of files does.
 */
const sharedBuffers = "16MB";

/** The part of emscripten's NODEFS that is wrapped here. */
type NodeOps = {
  setattr(node: unknown, attributes: { mode?: number }): void;
  mknod(parent: unknown, name: string, mode: number, dev: number): unknown;
};

/** The permission bits of group and others. */
const others = 0o077;

/**
 * Restricts PGlite's files to their owner. PGlite sets mode 0666 with chmod, which ignores the umask: every program on the
 * machine could write to the database.
 */
class PrivateNodeFs extends NodeFS {
  override async init(...[pg, options]: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(pg, options);
    const preRun = [emscriptenOpts.preRun ?? []].flat();
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRun, closeToOthers] } };
  }
}

function closeToOthers(module: object): void {
  const { node_ops: ops } = (module as { NODEFS: { node_ops: NodeOps } }).NODEFS; // built into PGlite's module, and not in its types
  const { setattr, mknod } = ops;
  ops.setattr = (node, attributes) =>
    setattr(node, attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~others });
  ops.mknod = (parent, name, mode, dev) => mknod(parent, name, mode & ~others, dev);
}

/** How many statements stay prepared. Further ones are parsed each time: multi-row batches create endlessly many texts. */
const maxPreparedStatements = 200;
/** Longer than any statement of the code, so only batches exceed it. Parsing and planning a claim took 2 ms, each time. */
const maxTextLength = 8000;
/** Names by text, the same for each connection of the process. */
const names = new Map<string, string>();

/**
 * A connection on which the database keeps the plan of each parameterised statement. Only for a dedicated session: a
 * pooler in between may route the next statement to another one.
 */
class PreparedClient extends pg.Client {
  // biome-ignore lint/suspicious/noExplicitAny: pg's `query` has nine overloads, and all go through here
  override query(...call: any[]): any {
    const [config, values, ...rest] = call;
    const text: unknown = config?.text;
    const name = typeof text === "string" && !config.name && values?.length > 0 ? nameOf(text) : undefined;
    const named = name === undefined ? config : { ...config, name };
    return Reflect.apply(super.query, this, [named, values, ...rest]);
  }
}

function nameOf(text: string): string | undefined {
  const known = names.get(text);
  if (known !== undefined || names.size >= maxPreparedStatements || text.length > maxTextLength) return known;
  const name = `s${names.size}`;
  names.set(text, name);
  return name;
}
