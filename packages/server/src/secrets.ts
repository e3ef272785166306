import {
  closeSync,
  fstatSync,
  ftruncateSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  writeSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Settings that are secrets. Neither an engine nor a program that the server starts needs them. */
export const secretSettings = [
  "TINTYPE_SECRET",
  "TINTYPE_SECRET_PREVIOUS",
  "TINTYPE_METRICS_TOKEN",
  "DATABASE_URL",
  "REDIS_URL",
  "GOOGLE_CLIENT_SECRET",
  "RAZORPAY_KEY_SECRET",
  "RAZORPAY_WEBHOOK_SECRET",
  "SMTP_URL",
  "AWS_ACCESS_KEY_ID",
  "AWS_SECRET_ACCESS_KEY",
  "OTEL_EXPORTER_OTLP_HEADERS",
  "OTEL_EXPORTER_OTLP_TRACES_HEADERS",
] as const;

type Environment = Record<string, string | undefined>;

/** The setting that names a file with the secret. */
export const fileSetting = (name: string) => `${name}_FILE`;

/**
 * The environment with the secrets from `NAME_FILE` settings. A file's trailing line break is not part of the secret.
 * @throws Error naming each setting whose file cannot be read, or that is given twice
 */
export function readSecretFiles(environment: Environment): Environment {
  const found: Environment = { ...environment };
  const problems: string[] = [];
  for (const name of secretSettings) {
    const path = environment[fileSetting(name)];
    if (!path) continue;
    if (environment[name]) {
      problems.push(`${name} and ${fileSetting(name)} are both set: keep one of them.`);
      continue;
    }
    try {
      found[name] = readFileSync(path, "utf8").replace(/\r?\n$/, "");
    } catch (problem) {
      const { code } = problem as NodeJS.ErrnoException; // node:fs throws errno errors only
      problems.push(`${fileSetting(name)}: ${path} cannot be read (${code}).`);
    }
  }
  if (problems.length > 0) throw new Error(problems.join("\n"));
  return found;
}

/** Set in a process's second image, which reads its secrets from standard input. */
const markSetting = "TINTYPE_SECRETS_ON_STDIN";

/**
 * Keeps the environment's secrets out of `/proc/<pid>/environ`, which every program of the same user can read and which
 * shows the initial environment, whatever the process deletes later. The process replaces itself (execve) by one without
 * them in its environment, under the same id, and passes them in an unnamed file as standard input. Call it before
 * anything else opens a file. Linux only; elsewhere, and under `node --watch`, nothing happens.
 */
export function hideSecrets(environment: Environment): void {
  if (environment[markSetting]) {
    Object.assign(environment, takeHandedOver());
    delete environment[markSetting];
    return;
  }
  const secrets = Object.fromEntries(
    secretSettings.flatMap((name) => (environment[name] ? [[name, environment[name]]] : [])),
  );
  // The IPC channel to a parent process would not survive.
  if (Object.keys(secrets).length === 0 || process.platform !== "linux" || process.channel || !process.execve) return;
  const rest = Object.entries(environment).filter(([name]) => !(name in secrets));
  if (!handOver(JSON.stringify(secrets))) return;
  process.execve(
    process.execPath,
    [process.execPath, ...process.execArgv, ...process.argv.slice(1)],
    Object.fromEntries([...rest, [markSetting, "1"]]) as Record<string, string>, // an environment has strings only
  );
}

/** Makes the text the new standard input, in memory if the system has a folder for that. */
function handOver(text: string): boolean {
  const folder = folderOfOurs("/dev/shm") ?? folderOfOurs(tmpdir());
  if (folder === undefined) return false;
  try {
    closeSync(0);
    // The lowest free descriptor.
    const file = openSync(join(folder, "secrets"), "wx+", 0o600);
    if (file !== 0) throw new Error("Standard input could not be replaced.");
    writeSync(file, text);
    return true;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

function folderOfOurs(above: string): string | undefined {
  try {
    return mkdtempSync(join(above, "tintype-"));
  } catch {
    return undefined; // Not there, or read-only.
  }
}

function takeHandedOver(): Environment {
  const bytes = Buffer.alloc(fstatSync(0).size);
  readSync(0, bytes, 0, bytes.length, 0);
  ftruncateSync(0);
  closeSync(0);
  openSync("/dev/null", "r");
  return JSON.parse(bytes.toString()) as Environment; // `handOver` wrote it
}
