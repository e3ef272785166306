import { execFile } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { isErrorCode } from "@tintype/contract";
import { curlExample, type Endpoint, type EndpointName, endpoints } from "@tintype/contract/schemas";
import { catalogue, fetchModel } from "@tintype/imaging";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { heicFile } from "../packages/imaging/src/testing/heic-file.ts";
import { shopper } from "../packages/server/src/testing/checkout.ts";
import { startTestApp, type TestApp, type TestCaller } from "../packages/server/src/testing/harness.ts";
import { quickStart } from "../packages/web/app/features/reference/quick-start.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("..", import.meta.url));
const models = join(repository, ".tintype/models");

let app: TestApp;
let owner: TestCaller & { token: string };
let folder: string;
beforeAll(async () => {
  // `npm run verify` has already downloaded it.
  await fetchModel(catalogue.background, { directory: models });
  app = await startTestApp({ environment: { TINTYPE_MODELS: models, TINTYPE_URL_INPUT: "on" } });
  owner = await app.person("pro");
  folder = mkdtempSync(join(tmpdir(), "tintype-examples-"));
  const drawing = Buffer.from(
    '<svg xmlns="http://www.w3.org/2000/svg" width="320" height="240"><rect width="320" height="240" fill="#cfd6da"/><circle cx="160" cy="120" r="70" fill="#a22"/></svg>',
  );
  for (const name of ["photo.jpg", "other.jpg", "chair.jpg"])
    writeFileSync(join(folder, name), await sharp(drawing).jpeg({ quality: 95 }).toBuffer());
  for (const name of ["a.png", "b.png"])
    writeFileSync(join(folder, name), await sharp(drawing).resize(64).png().toBuffer());
  writeFileSync(join(folder, "photo.heic"), heicFile({}));
}, 120_000);
afterAll(async () => {
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

/**
 * Runs a script as if pasted into a shell. The first command that fails ends it. SHLVL says that this is a nested shell, so that
 * Bash does not read the machine's start-up files.
 */
async function paste(shell: string, variables: Record<string, string> = {}) {
  const environment = { PATH: process.env["PATH"] ?? "", HOME: folder, SHLVL: "2", ...variables };
  return run("bash", ["-eu", "-o", "pipefail", "-c", shell], { cwd: folder, env: environment, timeout: 100_000 }).then(
    ({ stdout }) => ({ status: 0, said: stdout }),
    ({ code, stdout, stderr }: { code: number; stdout: string; stderr: string }) => ({
      status: code,
      said: stdout + stderr,
    }),
  );
}

const blocksOf = (path: string, language: string) =>
  [
    ...readFileSync(join(repository, path), "utf8").matchAll(
      new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, "gm"),
    ),
  ].map(([, block = ""]) => block.replaceAll("http://localhost:3000", app.baseUrl));

test("every call in the README works when it is pasted, and fails where the server refuses", {
  timeout: 180_000,
}, async () => {
  const calls = blocksOf("README.md", "sh").flatMap((block) => block.match(/^curl(.*\\\n)*.*$/gm) ?? []);
  expect(calls.length).toBeGreaterThan(4);
  for (const call of calls) {
    expect(call).toContain("--fail-with-body");
    expect(await paste(call), call).toMatchObject({ status: 0 });
  }
  expect(readFileSync(join(folder, "chair.png")).subarray(1, 4).toString()).toBe("PNG");
  expect((await paste((calls[0] ?? "").replace("quality=75", "quality=750"))).status).toBe(22);
});

describe("every example of the reference is a call that works", () => {
  const rows = Object.entries(endpoints) as [EndpointName, Endpoint][]; // the keys are the names
  /**
   * Calls that need something this caller does not have: a sale, someone else's address, a session instead of a key, a delivery,
   * an uncertain cut-out, an invoice.
   */
  const mayRefuse: readonly string[] = [
    "upgradePlan",
    "createPaymentSession",
    "planChange",
    "cancelSubscription",
    "keepPlan",
    "deleteAccount",
    "replayDelivery",
    "fileCandidates",
    // The job has ended by then.
    "cancelFile",
    "invoicePdf",
  ];
  const job = async (task = "compress") => {
    const form = new FormData();
    form.append("files", new Blob([new Uint8Array(readFileSync(join(folder, "a.png")))]), "a.png");
    if (task === "compress") form.append("quality", "60");
    const answer = await owner.call(`/api/${task}`, { form, headers: { prefer: "respond-async" } });
    const path = answer.headers.get("location") ?? "";
    await expect
      .poll(async () => ((await (await owner.call(path)).json()) as { state: string }).state, { timeout: 90_000 })
      .toBe("done");
    return path.split("/").at(-1) ?? "";
  };
  const apiKey = async () => {
    const made = await owner.call("/api/keys", { json: { name: "One more", scopes: ["process"] } });
    return ((await made.json()) as { id: string }).id;
  };

  const webhook = async () => {
    const made = await owner.call("/api/webhooks", { json: { url: "https://shop.example/one-more" } });
    return ((await made.json()) as { id: string }).id;
  };
  let recipes = 0;
  const recipe = async () => {
    const made = await owner.call("/api/recipes", {
      json: { name: `r ${++recipes}`, steps: [{ resize: { width: 9 } }] },
    });
    return ((await made.json()) as { id: string }).id;
  };
  const sale = async () => {
    const buyer = shopper(app, owner);
    await buyer.buy("pro");
    return (await buyer.transactions()).transactions[0]?.id ?? "";
  };
  const makers = {
    "/jobs/": job,
    "/keys/": apiKey,
    "/webhooks/{id}": webhook,
    "/recipes/{id}": recipe,
    "/transactions/{id}": sale,
  };

  test.each(rows)("%s", { timeout: 120_000 }, async (name, row) => {
    const [, make] = Object.entries(makers).find(([start]) => row.path.startsWith(start)) ?? [];
    const id = (await (name === "editFile" ? job("remove-background") : make?.())) ?? "none";
    rmSync(join(folder, "results"), { recursive: true, force: true });
    const { status, said } = await paste(curlExample(row, app.baseUrl), {
      TOKEN: owner.token,
      ID: id,
      INDEX: "0",
      SUBSCRIPTION_ID: "none",
    });
    if (status === 0) return;
    expect(mayRefuse, `${name}: ${said}`).toContain(name);
    // If a call that returns a file fails, its problem document is saved in place of the file.
    const saved = globSync("results/*", { cwd: folder }).map((file) => readFileSync(join(folder, file), "utf8"));
    const code = /"code":"([a-z-]+)"/.exec([said, ...saved].join("\n"))?.[1] ?? "";
    expect(isErrorCode(code) && row.errors.includes(code), `${name}: ${said}`).toBe(true);
  });
});

test("docs/api.md works from its first command to its last, in one shell", { timeout: 180_000 }, async () => {
  const person = await app.person();
  const blocks = blocksOf("docs/api.md", "sh");
  expect(blocks.length).toBeGreaterThan(7);
  const { status, said } = await paste(blocks.join("\n"), { TOKEN: person.token });
  expect(status, said).toBe(0);
  for (const made of ["smaller.jpg", "marked.jpg", "small.webp", "shop.webp", "batch.zip"])
    expect(readFileSync(join(folder, made)).length, made).toBeGreaterThan(200);
  expect(said).toContain('"losses":[{"index":0');
});

test("the quick start of the reference works from its first line to its last, in one shell", {
  timeout: 180_000,
}, async () => {
  const own = await startTestApp({ environment: { OIDC_ISSUER: "", OIDC_AUDIENCE: "", OIDC_JWKS_URL: "" } });
  try {
    const steps = quickStart(own.baseUrl);
    for (const { shell } of steps)
      for (const line of shell.split("\n").filter((one) => /\bcurl\b/.test(one)))
        expect(line).toContain("--fail-with-body");
    const { status, said } = await paste(steps.map(({ shell }) => shell).join("\n"));
    expect(status, said).toBe(0);
    for (const made of ["smaller.jpg", "tintype.zip", "resized.zip", "once.jpg"])
      expect(readFileSync(join(folder, made)).length, made).toBeGreaterThan(200);
  } finally {
    await own.close();
  }
});
