import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { missingModels } from "@tintype/imaging";
import pg from "pg";
import { type Config, readConfig } from "../config.ts";
import { appliedMigrationsQuery, describeNewerSchema } from "../platform/db/migrate.ts";
import { checkSmtp } from "../platform/mail-smtp.ts";
import { releaseVersion } from "../platform/release.ts";
import { withinMs } from "../platform/within-ms.ts";
import { describeStartProblem } from "../start-problem.ts";
import { openSandbox } from "./engine-sandbox.ts";
import { readMailWay } from "./mail.ts";
import { readModels } from "./models.ts";

/** `unsure`: it works, but an operator should know about it. */
export type Finding = { part: string; state: "right" | "unsure" | "wrong"; text: string };
type Verdict = Omit<Finding, "part">;

const right = (text: string): Verdict => ({ state: "right", text });
const unsure = (text: string): Verdict => ({ state: "unsure", text });
const wrong = (text: string): Verdict => ({ state: "wrong", text });

const examineWithinMs = 20_000;
/** Pictures in work take this much under load: docs/operations.md, "System requirements". */
const minFreeBytes = 5e9;
const maxSkewMs = 2_000;

/** Checks everything that a server with this environment needs. Changes nothing except for a probe that it removes again. */
export async function examine(environment: Record<string, string | undefined>): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (problem) {
    return [{ part: "configuration", ...wrong(describeStartProblem(problem)) }];
  }
  const parts: Record<string, (config: Config) => Promise<Verdict>> = {
    configuration: async () => right(`Tintype ${releaseVersion}, role ${config.TINTYPE_ROLE}, ${config.NODE_ENV}`),
    database: examineDatabase,
    clock: examineClock,
    Redis: examineRedis,
    pictures: examinePictures,
    mail: examineMail,
    disk: examineDisk,
    sandbox: examineSandbox,
    proxy: examineProxy,
    models: examineModels,
  };
  return Promise.all(
    Object.entries(parts).map(async ([part, look]) => ({
      part,
      ...(await withinMs(examineWithinMs, look(config)).catch((problem: unknown) =>
        wrong(describeStartProblem(problem)),
      )),
    })),
  );
}

/** One line per part, for a terminal. */
export function tableOf(findings: readonly Finding[]): string {
  const marks = { right: "ok", unsure: "look", wrong: "WRONG" };
  const width = Math.max(...findings.map(({ part }) => part.length));
  const indented = (text: string) => text.trim().replaceAll("\n", `\n${" ".repeat(width + 9)}`);
  return findings
    .map(({ part, state, text }) => `${part.padEnd(width)}  ${marks[state].padEnd(5)}  ${indented(text)}`)
    .join("\n");
}

async function askDatabase<Row extends object>(url: string, query: string): Promise<Row | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 10_000 });
  try {
    await client.connect();
    const { rows } = await client.query<Row>(query);
    return rows[0];
  } catch (cause) {
    throw new Error(`DATABASE_URL: ${cause instanceof Error ? cause.message || "no answer" : cause}`, { cause });
  } finally {
    await client.end().catch(() => {}); // it never began
  }
}

async function examineDatabase({ DATABASE_URL, isProduction, dataFolder }: Config): Promise<Verdict> {
  if (!DATABASE_URL) {
    const text = `embedded, in ${dataFolder}; a power cut can cost the last moments`;
    return isProduction ? unsure(text) : right(text);
  }
  const found = await askDatabase<{ version: string; may: boolean; migrated: boolean }>(
    DATABASE_URL,
    `select current_setting('server_version') as version, has_database_privilege(current_database(), 'CREATE') as may,
      to_regclass('drizzle.__drizzle_migrations') is not null as migrated`,
  );
  if (!found?.may) return wrong("DATABASE_URL: the user cannot create tables (CREATE on the database).");
  if (found.migrated) {
    const applied = await askDatabase<{ count: number; last: number | null }>(DATABASE_URL, appliedMigrationsQuery);
    const newer = applied && describeNewerSchema({ count: applied.count, lastMs: applied.last ?? 0 });
    if (newer) return wrong(newer);
  }
  return right(`PostgreSQL ${found.version}`);
}

async function examineClock({ DATABASE_URL }: Config): Promise<Verdict> {
  if (!DATABASE_URL) return right(`${new Date().toISOString()}, of this machine alone`);
  const before = Date.now();
  const found = await askDatabase<{ ms: number }>(
    DATABASE_URL,
    "select extract(epoch from clock_timestamp())::float8 * 1000 as ms",
  );
  const skewMs = Math.round((found?.ms ?? 0) - (before + Date.now()) / 2);
  const text = `${Math.abs(skewMs)} ms ${skewMs < 0 ? "ahead of" : "behind"} the database`;
  return Math.abs(skewMs) > maxSkewMs
    ? wrong(`${text}: synchronize the clocks of both machines (chrony, ntpd).`)
    : right(text);
}

async function examineRedis({ REDIS_URL, TINTYPE_ROLE }: Config): Promise<Verdict> {
  if (!REDIS_URL)
    return TINTYPE_ROLE === "all"
      ? right("none: one process alone")
      : wrong(`TINTYPE_ROLE=${TINTYPE_ROLE} requires REDIS_URL.`);
  const { Redis } = await import("ioredis");
  const redis = new Redis(REDIS_URL, { lazyConnect: true, maxRetriesPerRequest: 0, retryStrategy: () => null });
  redis.on("error", () => {}); // `connect` tells it
  try {
    await redis.connect();
    await redis.ping();
    const [, policy] = (await redis.config("GET", "maxmemory-policy").catch(() => [])) as string[]; // a list of name and value
    if (policy === undefined)
      return unsure("answers; whether it evicts work it does not tell (maxmemory-policy must be noeviction)");
    return policy === "noeviction"
      ? right("answers, noeviction")
      : wrong(`maxmemory-policy is ${policy}: work would be lost. Set noeviction.`);
  } catch (cause) {
    throw new Error(`REDIS_URL: ${cause instanceof Error ? cause.message : cause}`, { cause });
  } finally {
    redis.disconnect();
  }
}

async function examinePictures(config: Config): Promise<Verdict> {
  const { S3_BUCKET, S3_ENDPOINT, S3_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, TINTYPE_BLOBS } = config;
  if (!S3_BUCKET) return right(TINTYPE_BLOBS ? `in the folder ${TINTYPE_BLOBS}` : "in the data folder");
  const [{ DeleteObjectCommand, PutObjectCommand }, { checkBucket, createS3Client, jobsPrefix }] = await Promise.all([
    import("@aws-sdk/client-s3"),
    import("../platform/blobs/s3-client.ts"),
  ]);
  const credentials =
    AWS_ACCESS_KEY_ID && AWS_SECRET_ACCESS_KEY
      ? { accessKeyId: AWS_ACCESS_KEY_ID, secretAccessKey: AWS_SECRET_ACCESS_KEY }
      : undefined;
  const client = createS3Client({ bucket: S3_BUCKET, endpoint: S3_ENDPOINT, region: S3_REGION, credentials });
  try {
    const warnings: string[] = [];
    await checkBucket(client, S3_BUCKET, {
      info() {},
      warn: (_details: object, text: string) => void warnings.push(text),
    } as never); // two methods are called
    const probe = { Bucket: S3_BUCKET, Key: `${jobsPrefix}doctor` };
    await client.send(new PutObjectCommand({ ...probe, Body: "probe" }));
    await client.send(new DeleteObjectCommand(probe));
    return warnings.length > 0 ? unsure(warnings.join("\n")) : right(`bucket ${S3_BUCKET} takes and deletes`);
  } finally {
    client.destroy();
  }
}

async function examineMail(config: Config): Promise<Verdict> {
  if (config.TINTYPE_ROLE === "worker") return right("none: a worker sends no mails");
  const way = readMailWay(config);
  const contact = config.CONTACT_EMAIL
    ? ""
    : "\nCONTACT_EMAIL is not set: messages of the contact page only stay in the database.";
  if (way.kind === "none") return unsure(`no mail is sent${contact}`);
  if (way.kind === "log") return unsure(`every mail and its links are written into the log${contact}`);
  try {
    await checkSmtp(way.url);
  } catch (cause) {
    throw new Error(`SMTP_URL: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  return (contact ? unsure : right)(`${new URL(way.url).host} takes mails from us${contact}`);
}

async function examineDisk({ dataFolder }: Config): Promise<Verdict> {
  const folder = existingAbove(dataFolder);
  const probe = mkdtempSync(join(folder, ".tintype-doctor-"));
  try {
    writeFileSync(join(probe, "probe"), "probe");
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
  const { bavail, bsize } = await statfs(folder);
  const text = `${Math.round((bavail * bsize) / 1e9)} GB free in ${dataFolder}`;
  return bavail * bsize < minFreeBytes ? unsure(`${text}; pictures in work may take 5 GB`) : right(text);
}

function existingAbove(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingAbove(dirname(path));
}

async function examineSandbox(config: Config): Promise<Verdict> {
  if (config.TINTYPE_ROLE === "api") return right("none: an API process runs no engines");
  const scratch = mkdtempSync(join(tmpdir(), "tintype-doctor-"));
  try {
    const log = { info() {}, warn() {} } as never; // two methods are called
    const { level } = await openSandbox(config, { models: readModels(config), scratch, log });
    const text = `engines are at the level "${level}"`;
    return level === "namespaces" ? right(text) : unsure(`${text}; install bubblewrap for more (SECURITY.md)`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function examineProxy({ TINTYPE_ROLE, TINTYPE_TRUSTED_PROXIES, origin }: Config): Promise<Verdict> {
  if (TINTYPE_ROLE === "worker") return right("none: a worker answers no callers");
  const trusted = TINTYPE_TRUSTED_PROXIES?.length
    ? `forwarding headers of ${TINTYPE_TRUSTED_PROXIES.join(", ")} are believed`
    : "no proxy is trusted: callers connect directly, or all count as one network";
  const answer = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(5_000) }).catch(() => undefined);
  return answer?.ok
    ? right(`${origin} answers; ${trusted}`)
    : unsure(
        `${origin} ${answer ? `answers ${answer.status}` : "does not answer"}, as long as no server runs; ${trusted}`,
      );
}

async function examineModels(config: Config): Promise<Verdict> {
  if (config.TINTYPE_ROLE === "api") return right("none: an API process runs no engines");
  const missing = await missingModels(readModels(config));
  if (missing.length === 0) return right(`all there, in ${config.modelsFolder}`);
  return unsure(`${missing.map(({ name }) => name).join(", ")}: not there. Fetch with \`npm run models\`.`);
}
