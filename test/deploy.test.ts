import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { settings } from "../packages/server/src/config.ts";
import { startS3 } from "../packages/server/src/testing/s3.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string) => readFileSync(`${root}/${path}`, "utf8");
const compose = read("deploy/compose.yaml");

test("each setting of the files that deploy is one that the server reads", () => {
  const ofOthers = /^(?:POSTGRES_|S3_SECRET$|TINTYPE_PORT$)/;
  const files = globSync("deploy/{*.yaml,*.env,kubernetes/*,systemd/*}", { cwd: root });
  expect(files.length).toBeGreaterThan(5);
  for (const path of files) {
    const named = read(path).matchAll(/(?:^\s*|[{,]\s*|Environment=|name: )([A-Z][A-Z0-9]*_[A-Z0-9_]+)(?=[:=,} ])/gm);
    for (const [, name = ""] of named) expect(ofOthers.test(name) || name in settings, `${path}: ${name}`).toBe(true);
  }
});

test("the settings of Razorpay stand together wherever one of them does", () => {
  const parts = Object.keys(settings).filter((name) => name.startsWith("RAZORPAY_"));
  for (const path of [
    "deploy/compose.yaml",
    "deploy/example.env",
    "deploy/kubernetes/config.yaml",
    "docs/operations.md",
  ])
    expect(
      parts.filter((name) => !read(path).includes(name)),
      path,
    ).toEqual([]);
});

test("the bucket of compose.yaml is made once, and is there at a later start", async () => {
  const [, indented = ""] = /- --eval\n\s+- \|\n(.*?)\n\n/s.exec(compose) ?? [];
  expect(indented).toContain("CreateBucketCommand");
  // Compose puts the value of a setting in place of a name behind a dollar sign.
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
