import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { missingModels } from "@tintype/imaging";
import pg from "pg";
import { type Config, readConfig } from "../config.ts";
import { skewProblem } from "../platform/clock.ts";
import { appliedMigrationsQuery, describeOtherSchema } from "../platform/db/migrate.ts";
import { checkSmtp } from "../platform/mail-smtp.ts";
import { releaseVersion } from "../platform/release.ts";
import { withTimeout } from "../platform/with-timeout.ts";
import { describeStartProblem } from "../start-problem.ts";
import { openSandbox } from "./engine-sandbox.ts";
import { readMailTransport } from "./mail.ts";
import { readModels } from "./models.ts";

/** `warn`: it works, but an operator should know about it. */
export type Finding = { part: string; state: "ok" | "warn" | "fail"; text: string };
type Verdict = Omit<Finding, "part">;

const ok = (text: string): Verdict => ({ state: "ok", text });
const warn = (text: string): Verdict => ({ state: "warn", text });
const fail = (text: string): Verdict => ({ state: "fail", text });

const checkTimeoutMs = 20_000;
/** Pictures in work take this much under load: docs/operations.md, "System requirements". */
const minFreeBytes = 5e9;
/** Below this, hardly any picture can be accepted. */
const noFreeBytes = 500e6;

/** Checks everything that a server with this environment needs. Changes nothing except for a probe that it removes again. */
export async function checkSystem(environment: Record<string, string | undefined>): Promise<Finding[]> {
  let config: Config;
  try {
    config = readConfig(environment);
  } catch (problem) {
    return [{ part: "configuration", ...fail(describeStartProblem(problem)) }];
  }
  const parts: Record<string, (config: Config) => Promise<Verdict>> = {
    configuration: async () => ok(`Tintype ${releaseVersion}, role ${config.TINTYPE_ROLE}, ${config.NODE_ENV}`),
    database: checkDatabase,
    clock: checkClock,
    Redis: checkRedis,
    pictures: checkPictures,
    mail: checkMail,
    disk: checkDisk,
    sandbox: checkSandbox,
    proxy: checkProxy,
    models: checkModels,
  };
  return Promise.all(
    Object.entries(parts).map(async ([part, check]) => ({
      part,
      ...(await withTimeout(checkTimeoutMs, check(config)).catch((problem: unknown) =>
        fail(describeStartProblem(problem)),
      )),
    })),
  );
}

/** One line per part, for a terminal. */
export function tableOf(findings: readonly Finding[]): string {
  const marks = { ok: "ok", warn: "warn", fail: "FAIL" };
  const width = Math.max(...findings.map(({ part }) => part.length));
  const indented = (text: string) => text.trim().replaceAll("\n", `\n${" ".repeat(width + 8)}`);
  return findings
    .map(({ part, state, text }) => `${part.padEnd(width)}  ${marks[state].padEnd(4)}  ${indented(text)}`)
    .join("\n");
}

async function queryDatabase<Row extends object>(url: string, query: string): Promise<Row | undefined> {
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

async function checkDatabase({ DATABASE_URL, isProduction, dataFolder }: Config): Promise<Verdict> {
  if (!DATABASE_URL) {
    const text = `embedded, in ${dataFolder}; a power cut can cost the last moments`;
    return isProduction ? warn(text) : ok(text);
  }
  const found = await queryDatabase<{ version: string; may: boolean; migrated: boolean }>(
    DATABASE_URL,
    `select current_setting('server_version') as version, has_database_privilege(current_database(), 'CREATE') as may,
      to_regclass('drizzle.__drizzle_migrations') is not null as migrated`,
  );
  if (!found?.may) return fail("DATABASE_URL: the user cannot create tables (CREATE on the database).");
  if (found.migrated) {
    const applied = await queryDatabase<{ count: number; last: number | null }>(DATABASE_URL, appliedMigrationsQuery);
    const other = applied && describeOtherSchema({ count: applied.count, lastMs: applied.last ?? 0 });
    if (other) return fail(other);
  }
  return ok(`PostgreSQL ${found.version}`);
}

async function checkClock({ DATABASE_URL }: Config): Promise<Verdict> {
  if (!DATABASE_URL) return ok(`${new Date().toISOString()}, of this machine alone`);
  const before = Date.now();
  const found = await queryDatabase<{ ms: number }>(
    DATABASE_URL,
    "select extract(epoch from clock_timestamp())::float8 * 1000 as ms",
  );
  const skewMs = Math.round((before + Date.now()) / 2 - (found?.ms ?? 0));
  const problem = skewProblem(skewMs);
  return problem ? fail(problem) : ok(`${Math.abs(skewMs)} ms ${skewMs > 0 ? "ahead of" : "behind"} the database`);
}

async function checkRedis({ REDIS_URL, TINTYPE_ROLE }: Config): Promise<Verdict> {
  if (!REDIS_URL)
    return TINTYPE_ROLE === "all"
      ? ok("none: one process alone")
      : fail(`TINTYPE_ROLE=${TINTYPE_ROLE} requires REDIS_URL.`);
  const { probeRedis } = await import("../platform/redis.ts");
  const { evictionPolicy } = await probeRedis(REDIS_URL);
  if (evictionPolicy === undefined)
    return warn("reachable, but maxmemory-policy cannot be read. It must be noeviction.");
  return evictionPolicy === "noeviction"
    ? ok("reachable, noeviction")
    : fail(`maxmemory-policy is ${evictionPolicy}: work would be lost. Set noeviction.`);
}

async function checkPictures(config: Config): Promise<Verdict> {
  const { S3_BUCKET, S3_ENDPOINT, S3_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, TINTYPE_BLOBS } = config;
  if (!S3_BUCKET) return ok(TINTYPE_BLOBS ? `in the folder ${TINTYPE_BLOBS}` : "in the data folder");
  const { checkBucket, createS3Client, probeBucket } = await import("../platform/blobs/s3-client.ts");
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
    await probeBucket(client, S3_BUCKET);
    return warnings.length > 0 ? warn(warnings.join("\n")) : ok(`bucket ${S3_BUCKET} takes and deletes`);
  } finally {
    client.destroy();
  }
}

async function checkMail(config: Config): Promise<Verdict> {
  if (config.TINTYPE_ROLE === "worker") return ok("none: a worker sends no mails");
  const way = readMailTransport(config);
  const contact = config.CONTACT_EMAIL
    ? ""
    : "\nCONTACT_EMAIL is not set: messages of the contact page only stay in the database.";
  if (way.kind === "none") return warn(`no mail is sent${contact}`);
  if (way.kind === "log") return warn(`every mail and its links are written into the log${contact}`);
  try {
    await checkSmtp(way.url);
  } catch (cause) {
    throw new Error(`SMTP_URL: ${cause instanceof Error ? cause.message : cause}`, { cause });
  }
  return (contact ? warn : ok)(`${new URL(way.url).host} takes mails from us${contact}`);
}

async function checkDisk({ dataFolder }: Config): Promise<Verdict> {
  const folder = existingAncestor(dataFolder);
  const probe = mkdtempSync(join(folder, ".tintype-doctor-"));
  try {
    writeFileSync(join(probe, "probe"), "probe");
  } finally {
    rmSync(probe, { recursive: true, force: true });
  }
  const { bavail, bsize } = await statfs(folder);
  return judgeFreeSpace(bavail * bsize, dataFolder);
}

/** @internal */
export function judgeFreeSpace(freeBytes: number, folder: string): Verdict {
  const text = `${freeBytes < 1e9 ? `${Math.round(freeBytes / 1e6)} MB` : `${Math.round(freeBytes / 1e9)} GB`} free in ${folder}`;
  if (freeBytes < noFreeBytes) return fail(`${text}: pictures are refused for want of space. Free at least 5 GB.`);
  return freeBytes < minFreeBytes ? warn(`${text}; pictures in work may take 5 GB`) : ok(text);
}

function existingAncestor(path: string): string {
  return existsSync(path) || dirname(path) === path ? path : existingAncestor(dirname(path));
}

async function checkSandbox(config: Config): Promise<Verdict> {
  if (config.TINTYPE_ROLE === "api") return ok("none: an API process runs no engines");
  const scratch = mkdtempSync(join(tmpdir(), "tintype-doctor-"));
  try {
    const log = { info() {}, warn() {} } as never; // two methods are called
    const { level } = await openSandbox(config, { models: readModels(config), scratch, log });
    const text = `engines are at the level "${level}"`;
    return level === "namespaces" ? ok(text) : warn(`${text}; install bubblewrap for more (SECURITY.md)`);
  } finally {
    rmSync(scratch, { recursive: true, force: true });
  }
}

async function checkProxy({ TINTYPE_ROLE, TINTYPE_TRUSTED_PROXIES, origin }: Config): Promise<Verdict> {
  if (TINTYPE_ROLE === "worker") return ok("none: a worker answers no callers");
  const trusted = TINTYPE_TRUSTED_PROXIES?.length
    ? `forwarding headers of ${TINTYPE_TRUSTED_PROXIES.join(", ")} are believed`
    : "no proxy is trusted: callers connect directly, or all count as one network";
  const response = await fetch(`${origin}/healthz`, { signal: AbortSignal.timeout(5_000) }).catch((problem: unknown) =>
    reasonOf(problem),
  );
  if (typeof response === "string") return warn(`${origin} does not answer: ${response}; ${trusted}`);
  return response.ok
    ? ok(`${origin} answers; ${trusted}`)
    : warn(`${origin} answers ${response.status}, as long as no server runs; ${trusted}`);
}

/** Why a request failed, for an operator: fetch puts the reason into the cause. */
function reasonOf(problem: unknown): string {
  const { cause, message } = problem instanceof Error ? problem : new Error(String(problem));
  const { code, message: text } =
    cause instanceof Error ? (cause as NodeJS.ErrnoException) : { code: undefined, message };
  switch (code) {
    case "ECONNREFUSED":
      return "nothing listens there, as long as no server and no proxy runs (ECONNREFUSED)";
    case "ENOTFOUND":
    case "EAI_AGAIN":
      return `its name cannot be resolved: check the DNS entry and TINTYPE_ORIGIN (${code})`;
    case "DEPTH_ZERO_SELF_SIGNED_CERT":
    case "SELF_SIGNED_CERT_IN_CHAIN":
    case "UNABLE_TO_VERIFY_LEAF_SIGNATURE":
      return `its certificate is not signed by an authority that Node.js knows: set NODE_EXTRA_CA_CERTS for your own (${code})`;
    case "CERT_HAS_EXPIRED":
      return `its certificate has expired (${code})`;
    case "ERR_TLS_CERT_ALTNAME_INVALID":
      return `its certificate is for another name (${code})`;
    default:
      return code ? `${text} (${code})` : text;
  }
}

async function checkModels(config: Config): Promise<Verdict> {
  if (config.TINTYPE_ROLE === "api") return ok("none: an API process runs no engines");
  const missing = await missingModels(readModels(config));
  if (missing.length === 0) return ok(`all there, in ${config.modelsFolder}`);
  return warn(`${missing.map(({ name }) => name).join(", ")}: not there. Fetch with \`npm run models\`.`);
}
