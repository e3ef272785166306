import { execFile, execFileSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { settings } from "../packages/server/src/config.ts";
import { fileSetting, secretSettings } from "../packages/server/src/secrets.ts";
import { startS3 } from "../packages/server/src/testing/s3.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");
const compose = read("deploy/compose.yaml");

test("each setting of the files that deploy is one that the server reads", () => {
  const ofOthers =
    /^(?:MALLOC_|POSTGRES_|PG|REDISCLI_|REDIS_PASSWORD$|S3_SECRET$|SITE_ADDRESS$|TINTYPE_(?:PORT|ADDRESS|DOMAIN|BACKUPS)$|NET_BIND_)/;
  const known = new Set<string>([...Object.keys(settings), ...secretSettings.map(fileSetting)]);
  const files = globSync("deploy/{*.yaml,*.env,kubernetes/*,systemd/*,helm/*/values.yaml}", { cwd: root });
  expect(files.length).toBeGreaterThan(5);
  for (const path of files) {
    const named = read(path).matchAll(/(?:^\s*|[{,]\s*|Environment=|name: )([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[:=,} ])/gm);
    for (const [, name = ""] of named) expect(ofOthers.test(name) || known.has(name), `${path}: ${name}`).toBe(true);
  }
});

test("npm start, the image and the systemd unit start the server with the same settings of Node.js and of the allocator", () => {
  const paths = ["package.json", "packages/server/package.json", "Dockerfile", "deploy/systemd/tintype.service"];
  const settingsIn = (path: string) =>
    [...read(path).matchAll(/MALLOC_\w+=\d+|--initial-old-space-size=\d+/g)].join(" ");
  expect(settingsIn("package.json")).toMatch(/^(?:MALLOC_\S+ ){3}--initial\S+$/);
  for (const path of paths) expect(settingsIn(path), path).toBe(settingsIn("package.json"));
});

test("no file that deploys ships a secret: what is to be filled in is blank", () => {
  const shipped: string[] = [];
  for (const path of ["deploy/example.env", "deploy/kubernetes/config.yaml", "deploy/helm/tintype/values.yaml"])
    for (const [line, name = "", value = ""] of read(path).matchAll(/^ *([A-Z][A-Z0-9_]+)(?:=|: *)(.*)$/gm)) {
      // A file's path is not a secret.
      const isBlank = name.endsWith("_FILE") ? value.startsWith("/run/secrets/") : /^(?:""|)$/.test(value);
      if (/SECRET|TOKEN|PASSWORD|ACCESS_KEY|KEY_ID|_URL(?:_FILE)?$/.test(name) && !isBlank)
        shipped.push(`${path}: ${line}`);
    }
  expect(shipped).toEqual([]);
});

test("the settings of Razorpay stand together wherever one of them does", () => {
  const parts = Object.keys(settings).filter((name) => name.startsWith("RAZORPAY_"));
  for (const path of [
    "deploy/compose.yaml",
    "deploy/example.env",
    "deploy/kubernetes/config.yaml",
    "deploy/helm/tintype/values.yaml",
    "docs/operations.md",
  ])
    expect(
      parts.filter((name) => !read(path).includes(name)),
      path,
    ).toEqual([]);
});

/** The text of a key's value in a YAML document. */
const block = (yaml: string, key: string) =>
  new RegExp(`^( *)${key}:.*\\n((?:\\1 +.*\\n|\\n)*)`, "m").exec(yaml)?.[2] ?? "";
const secretsOfCallers = ["TINTYPE_SECRET", "SMTP_URL", "RAZORPAY_KEY_SECRET", "RAZORPAY_WEBHOOK_SECRET"];

test("workers get no secret that only API processes need, and refuse to start without namespaces", () => {
  const ofWorkers = block(compose, "x-worker-environment");
  expect(ofWorkers).toContain("DATABASE_URL");
  expect(ofWorkers).toMatch(/TINTYPE_SANDBOX: .*:-required/);
  for (const name of secretsOfCallers) {
    expect(block(compose, "api-1"), name).toContain(`${name}:`);
    for (const part of [
      ofWorkers,
      block(compose, "picture-worker"),
      block(compose, "model-worker"),
      block(compose, "bucket"),
    ])
      expect(part, name).not.toContain(`${name}:`);
  }
  for (const path of ["picture-worker", "model-worker"].map((part) => read(`deploy/kubernetes/${part}.yaml`))) {
    expect(path).not.toMatch(/name: tintype-api/);
    expect(path).toMatch(/TINTYPE_SANDBOX, value: required/);
    expect(path).toMatch(/localhostProfile/);
  }
});

test("the example starts neither payments without money nor mails into the log, and listens on this machine alone", () => {
  const example = read("deploy/example.env");
  expect(example.match(/^[A-Z0-9_]+=.+/gm) ?? []).toEqual([]);
  expect(compose).toMatch(/ports: \[".*:-127\.0\.0\.1\}:/);
});

test("Redis has a password, and stores and workers stand in a network without a way out", () => {
  expect(compose).toMatch(/requirepass .*REDIS_PASSWORD/);
  expect(compose).toMatch(/inside: \{ internal: true \}/);
  for (const part of ["postgres", "redis", "s3", "picture-worker", "bucket", "backup"])
    expect(/networks: \[(.*)\]/.exec(block(block(compose, "services"), part))?.[1], part).toBe("inside");
});

test("the system calls that bubblewrap needs are in the profile, and those that only attacks need are not", () => {
  const profile = JSON.parse(read("deploy/seccomp.json")) as { syscalls: { names: string[] }[] };
  const allowed = profile.syscalls.flatMap(({ names }) => names);
  expect(allowed).toEqual(expect.arrayContaining(["clone", "unshare", "mount", "umount2", "pivot_root", "execve"]));
  for (const name of ["ptrace", "keyctl", "bpf", "kexec_load", "init_module", "perf_event_open", "userfaultfd"])
    expect(allowed).not.toContain(name);
});

test("the bucket of compose.yaml is made once, and is there at a later start", async () => {
  const [, indented = ""] = /- --eval\n\s+- \|\n(.*?)\n\n/s.exec(compose) ?? [];
  expect(indented).toContain("CreateBucketCommand");
  // Compose interpolates names after a dollar sign.
  expect(indented).not.toContain("$");
  const s3 = await startS3();
  const env = {
    PATH: process.env["PATH"],
    S3_BUCKET: "made-by-compose",
    S3_ENDPOINT: s3.endpoint,
    S3_REGION: s3.region,
    AWS_ACCESS_KEY_ID: s3.credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3.credentials.secretAccessKey,
  };
  const make = () => promisify(execFile)(process.execPath, ["--eval", indented], { cwd: root, env });
  for (let start = 0; start < 2; start++) expect(await make()).toMatchObject({ stderr: "" });
  await s3.close();
});

const backupUnit = read("deploy/systemd/tintype-backup.service");

/** Runs a line of the unit with a fake `systemctl`. Returns the arguments that it received. */
function runUnitLine(
  name: string,
  { folder, settings, isActive }: { folder: string; settings: string; isActive: boolean },
) {
  const [, script = ""] = new RegExp(`^${name}=\\+/bin/sh -c '(.+)'$`, "m").exec(backupUnit) ?? [];
  const log = join(folder, "systemctl.log");
  writeFileSync(log, "");
  writeFileSync(join(folder, "tintype.env"), settings);
  writeFileSync(
    join(folder, "systemctl"),
    `#!/bin/sh\n[ "$1" = is-active ] && exit ${isActive ? 0 : 3}\necho "$@" >> ${log}\n`,
    { mode: 0o755 },
  );
  const here = script.replace("/etc/tintype.env", join(folder, "tintype.env")).replaceAll("/run/", `${folder}/`);
  execFileSync("/bin/sh", ["-c", here], { env: { PATH: `${folder}:${process.env["PATH"]}` } });
  return readFileSync(log, "utf8").trim();
}

test("a scheduled backup stops a server with the embedded database for as long as it takes, and no other", () => {
  const folder = mkdtempSync(join(tmpdir(), "tintype-backup-"));
  try {
    const told = (settings: string, isActive: boolean) =>
      ["ExecStartPre", "ExecStopPost"].map((name) => runUnitLine(name, { folder, settings, isActive }));
    expect(told("TINTYPE_SANDBOX=required\n", true)).toEqual(["stop tintype", "start tintype"]);
    expect(told("DATABASE_URL=embedded\n", true)).toEqual(["stop tintype", "start tintype"]);
    // A server that was stopped by hand stays stopped.
    expect(told("DATABASE_URL=embedded\n", false)).toEqual(["", ""]);
    for (const settings of [
      "DATABASE_URL=postgres://x\n",
      'DATABASE_URL="postgres://x"\n',
      "DATABASE_URL_FILE=/run/x\n",
    ])
      expect(told(settings, true)).toEqual(["", ""]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("backups run daily and keep as many files, by systemd and by compose", () => {
  const timer = read("deploy/systemd/tintype-backup.timer");
  expect(timer).toMatch(/^OnCalendar=\*-\*-\* \d\d:\d\d:00$/m);
  expect(timer).toMatch(/^Persistent=true$/m);
  expect(backupUnit).toMatch(/^ExecStart=\S+ packages\/server\/src\/data\.ts backup \S+ --keep 14$/m);
  for (const same of ["User", "WorkingDirectory", "EnvironmentFile", "Environment", "StateDirectory", "UMask"]) {
    const line = new RegExp(`^${same}=.*$`, "m");
    expect(line.exec(backupUnit)?.[0], same).toBe(line.exec(read("deploy/systemd/tintype.service"))?.[0]);
  }
  const ofCompose = block(block(compose, "services"), "backup");
  expect(ofCompose).toContain("pg_dump --format=custom");
  expect(ofCompose).toContain("tail -n +15");
  expect(ofCompose).toContain("sleep 86400");
});
