import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { readConfig } from "./config.ts";
import { deriveKeys } from "./platform/keys.ts";
import { hideSecrets, readSecretFiles } from "./secrets.ts";

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "tintype-secrets-"));
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));
const keep = (name: string, text: string) => {
  const path = join(folder, name);
  writeFileSync(path, text, { mode: 0o600 });
  return path;
};

test("a child of the server finds no secret in the environment that the server was started with", async () => {
  if (process.platform !== "linux") return; // where there is no /proc to read it from
  const script = keep(
    "server.mjs",
    `import { execFileSync } from "node:child_process";
    import { hideSecrets } from ${JSON.stringify(new URL("./secrets.ts", import.meta.url).href)};
    hideSecrets(process.env);
    const shown = execFileSync("/bin/cat", ["/proc/" + process.pid + "/environ"], { encoding: "utf8" });
    const input = execFileSync("/bin/cat", { stdio: ["inherit", "pipe", "inherit"], encoding: "utf8" });
    console.log(JSON.stringify({ secret: process.env.TINTYPE_SECRET, plain: process.env.PORT, shown, input, args: process.argv.slice(2) }));`,
  );
  const { stdout } = await promisify(execFile)(process.execPath, [script, "--flag"], {
    env: { TINTYPE_SECRET: "known to the server alone", DATABASE_URL: "postgres://u:hidden@x/y", PORT: "3000" },
  });
  const found = JSON.parse(stdout) as Record<string, string>;
  expect(found).toMatchObject({ secret: "known to the server alone", plain: "3000", input: "", args: ["--flag"] });
  expect(found["shown"]).toContain("PORT=3000");
  expect(found["shown"]).not.toMatch(/alone|hidden/);
});

test("without secrets in the environment the process stays as it is", () => {
  const environment = { PORT: "3000" };
  hideSecrets(environment);
  expect(environment).toEqual({ PORT: "3000" });
});

test("a secret comes from the file that its setting with _FILE names, without the line break at its end", () => {
  const path = keep("secret", "a secret that is long enough for the tests\n");
  const config = readConfig({ TINTYPE_SECRET_FILE: path, SMTP_URL_FILE: keep("blank", "") });
  expect(config.keys).toEqual(deriveKeys("a secret that is long enough for the tests"));
  expect(config.SMTP_URL).toBeUndefined();
});

test("files that cannot be read, and secrets that are given twice, are named together", () => {
  const environment = { TINTYPE_SECRET_FILE: join(folder, "none"), SMTP_URL: "smtp://x", SMTP_URL_FILE: "/x" };
  expect(() => readSecretFiles(environment)).toThrow(
    /TINTYPE_SECRET_FILE: .*none cannot be read \(ENOENT\)\.\nSMTP_URL and SMTP_URL_FILE are both set/,
  );
});
