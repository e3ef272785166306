import { createReadStream, existsSync } from "node:fs";
import { mkdir, open, readdir, rename, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { createGunzip, createGzip } from "node:zlib";
import { readConfig } from "./config.ts";
import type { OpenDatabase } from "./platform/db/database.ts";
import { openPglite } from "./platform/db/pglite.ts";
import { openPostgres } from "./platform/db/postgres.ts";
import { exportLines, importLines, TransferError } from "./platform/db/transfer.ts";
import { hideSecrets } from "./secrets.ts";
import { describeStartProblem } from "./start-problem.ts";

const usage = `Usage, with the environment of the server, which must not run meanwhile:
  npm run data -- export FILE              writes the whole database to a file
  npm run data -- import FILE              reads such a file into the server's database, which must be empty
  npm run data -- migrate --to TARGET      copies the server's database into an empty one: postgres://..., or a data folder
  npm run data -- backup FOLDER --keep 14  exports into the folder, by date, and deletes all but the newest 14;
                                           on PostgreSQL the server may run
`;

/** A statement may scan the largest table. */
const socketTimeoutMs = 10 * 60_000;

/** `npm run data`. Returns the exit status: 0, 1 on failure, 2 for wrong usage. */
export async function moveData(args: string[], environment: Record<string, string | undefined>): Promise<number> {
  const { values, positionals } = parseArgs({
    args,
    options: {
      to: { type: "string" },
      keep: { type: "string" },
      help: { type: "boolean", short: "h", default: false },
    },
    allowPositionals: true,
  });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const [command, file, ...more] = positionals;
  const keep = values.keep === undefined ? undefined : Number(values.keep);
  const isRight =
    more.length === 0 &&
    (command === "migrate"
      ? file === undefined && values.to !== undefined
      : (command === "export" || command === "import" || command === "backup") &&
        file !== undefined &&
        values.to === undefined) &&
    (command === "backup" ? keep === undefined || (Number.isInteger(keep) && keep > 0) : keep === undefined);
  if (!isRight) {
    process.stderr.write(usage);
    return 2;
  }
  const { DATABASE_URL, dataFolder } = readConfig(environment);
  const own = DATABASE_URL ?? dataFolder;
  if (command === "export" && file) await withDatabase(own, ({ db }) => writeFile(file, exportLines(db)));
  if (command === "backup" && file) await backUp(own, file, keep ?? usualKeep);
  if (command === "import" && file) report(await withDatabase(own, ({ db }) => importLines(db, readLines(file))));
  if (command === "migrate" && values.to) {
    const { to } = values;
    if (to === own) throw new TransferError("--to names the database that the server uses already.");
    report(await withDatabase(own, (from) => withDatabase(to, ({ db }) => importLines(db, exportLines(from.db)))));
  }
  return 0;
}

async function withDatabase<Result>(
  place: string,
  work: (database: OpenDatabase) => Promise<Result>,
  { migrates = true } = {},
): Promise<Result> {
  const database = /^postgres(ql)?:/.test(place)
    ? await openPostgres(place, { socketTimeoutMs, migrates })
    : await openPglite({ folder: place });
  try {
    return await work(database);
  } finally {
    await database.close();
  }
}

const usualKeep = 14;
const backupForm = /^tintype-\d{4}-\d{2}-\d{2}T\d{6}Z\.data\.gz$/;

/** Exports into the folder under the current time, then deletes the oldest exports there until `keep` are left. */
async function backUp(place: string, folder: string, keep: number): Promise<void> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  const time = new Date().toISOString().replace(/\.\d+/, "").replaceAll(":", "");
  const path = join(folder, `tintype-${time}.data.gz`);
  const work = ({ db, exclusive }: OpenDatabase) => writeFile(path, exportLines(db, { isLive: !exclusive }));
  // The database's servers continue meanwhile, and may be of the previous release.
  await withDatabase(place, work, { migrates: false });
  // Only now: a failed backup must not cost earlier ones. Names sort by time, and a clock may have been ahead.
  const names = await readdir(folder);
  const others = names.filter((name) => backupForm.test(name) && join(folder, name) !== path).toSorted();
  for (const name of others.slice(0, Math.max(0, others.length + 1 - keep))) await rm(join(folder, name));
  for (const name of names) if (await isLeftOver(folder, name)) await rm(join(folder, name));
}

const maxBackupMs = 6 * 3_600_000;

/** The remains of a killed backup. */
async function isLeftOver(folder: string, name: string): Promise<boolean> {
  if (!name.endsWith(".part") || !backupForm.test(name.slice(0, -".part".length))) return false;
  return Date.now() - (await stat(join(folder, name))).mtimeMs > maxBackupMs;
}

/** Gets its name only once complete. Readable by its owner only: it contains addresses and password hashes. */
async function writeFile(path: string, lines: AsyncIterable<string>): Promise<void> {
  if (existsSync(path)) throw new TransferError(`${path} exists already. Choose another name.`);
  const part = `${path}.part`;
  // Created anew: an existing file keeps the owner and mode that someone else gave it.
  await rm(part, { force: true });
  const file = await open(part, "wx", 0o600);
  try {
    const text = Readable.from(
      (async function* () {
        for await (const line of lines) yield `${line}\n`;
      })(),
    );
    await pipeline(text, createGzip(), file.createWriteStream({ flush: true }));
    await rename(part, path);
  } catch (problem) {
    await file.close().catch(() => {});
    await rm(part, { force: true });
    throw problem;
  }
  process.stdout.write(
    `Wrote ${path}. Keep it together with TINTYPE_SECRET, or with the file "secret" of the data folder.\n`,
  );
}

/** @throws TransferError when the file is cut off, or no gzip */
async function* readLines(path: string): AsyncGenerator<string> {
  const source = createReadStream(path);
  const text = createGunzip().setEncoding("utf8");
  source.on("error", (problem) => text.destroy(problem)).pipe(text);
  let rest = "";
  try {
    for await (const chunk of text as AsyncIterable<string>) {
      const lines = (rest + chunk).split("\n");
      rest = lines.pop() ?? "";
      yield* lines;
    }
  } catch (problem) {
    const { code } = problem as NodeJS.ErrnoException; // zlib sets one
    if (!code?.startsWith("Z_")) throw problem;
    const fault = code === "Z_BUF_ERROR" ? "is cut off" : "is damaged, or no export of Tintype's data";
    throw new TransferError(
      `${path} ${fault}. Nothing was written. Copy it again from where it was backed up, or take an older one.`,
      { cause: problem },
    );
  }
  if (rest !== "") yield rest;
}

function report(rows: Record<string, number>): void {
  const total = Object.values(rows).reduce((sum, count) => sum + count, 0);
  process.stdout.write(
    `Imported and compared row by row: ${total} rows, including ${rows.accounts} accounts, ${rows.credit_entries} ledger entries and ${rows.payments} payments.\n`,
  );
}

if (import.meta.main) {
  hideSecrets(process.env);
  process.exitCode = await moveData(process.argv.slice(2), process.env).catch((problem: unknown) => {
    process.stderr.write(`${describeStartProblem(problem)}\n`);
    return 1;
  });
}
