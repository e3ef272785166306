import { execFile } from "node:child_process";
import { existsSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { request } from "node:http";
import { createServer } from "node:https";
import type { AddressInfo } from "node:net";
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
import { isDeep } from "../packages/server/src/testing/deep.ts";
import { startTestApp, type TestApp, type TestCaller } from "../packages/server/src/testing/harness.ts";
import { redModel } from "../packages/server/src/testing/red-model.ts";
import { programExamples } from "../packages/web/app/features/reference/program-examples.ts";
import { quickStart } from "../packages/web/app/features/reference/quick-start.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("..", import.meta.url));
const models = join(repository, ".tintype/models");

const small = redModel();
/** Cut-outs with a small network, since the examples are about calls. Those of a release are made with the real weights. */
async function cutOuts(): Promise<Record<string, string>> {
  if (!isDeep) return small.environment;
  await fetchModel(catalogue.background, { directory: models });
  return { TINTYPE_MODELS: models };
}

let app: TestApp;
let owner: TestCaller & { token: string };
let folder: string;
beforeAll(async () => {
  app = await startTestApp({ environment: { ...(await cutOuts()), TINTYPE_URL_INPUT: "on" } });
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
});
afterAll(async () => {
  await app.close();
  small.remove();
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

test("every call in the README works when it is pasted, and fails where the server refuses", async () => {
  const calls = blocksOf("README.md", "sh").flatMap((block) => block.match(/^curl(.*\\\n)*.*$/gm) ?? []);
  expect(calls.length).toBeGreaterThan(4);
  for (const call of calls) {
    expect(call).toMatch(/^curl --fail .* -o /);
    expect(await paste(call), call).toMatchObject({ status: 0 });
  }
  expect(readFileSync(join(folder, "chair.png")).subarray(1, 4).toString()).toBe("PNG");
  // A refused call saves no error as a picture.
  rmSync(join(folder, "smaller.jpg"));
  expect((await paste((calls[0] ?? "").replace("quality=75", "quality=750"))).status).toBe(22);
  expect(existsSync(join(folder, "smaller.jpg"))).toBe(false);
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
    await expect.poll(async () => ((await (await owner.call(path)).json()) as { state: string }).state).toBe("done");
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
    const call = curlExample(row, app.baseUrl);
    const variables = { TOKEN: owner.token, ID: id, INDEX: "0", SUBSCRIPTION_ID: "none" };
    const answer = await paste(call, variables);
    if (answer.status === 0) return;
    expect(mayRefuse, `${name}: ${answer.said}`).toContain(name);
    // A refused call that would save a file saves no error in its place. Which error it is only the body says.
    expect(globSync("results/*", { cwd: folder }), call).toEqual([]);
    const { said } = call.includes("--fail ")
      ? await paste(call.replace("--fail ", "--fail-with-body "), variables)
      : answer;
    const saved = globSync("results/*", { cwd: folder }).map((file) => readFileSync(join(folder, file), "utf8"));
    const code = /"code":"([a-z-]+)"/.exec([said, ...saved].join("\n"))?.[1] ?? "";
    expect(isErrorCode(code) && row.errors.includes(code), `${name}: ${said}`).toBe(true);
  });
});

/** What a file holds, by its content. */
async function contentOf(name: string): Promise<string | undefined> {
  const bytes = readFileSync(join(folder, name));
  if (bytes.subarray(0, 2).toString() === "PK") return "zip";
  return (await sharp(bytes).metadata()).format;
}

describe("documents for people who write programs", () => {
  /** Its own accounts, as a reader has them. */
  let own: TestApp;
  let key: string;
  beforeAll(async () => {
    const builtIn = { OIDC_ISSUER: "", OIDC_AUDIENCE: "", OIDC_JWKS_URL: "" };
    own = await startTestApp({ environment: { ...builtIn, ...(await cutOuts()), TINTYPE_URL_INPUT: "on" } });
  }, 120_000);
  afterAll(() => own.close());
  const blocksFor = (path: string, language: string) =>
    blocksOf(path, language).map((block) => block.replaceAll(app.baseUrl, own.baseUrl));

  test("docs/api.md works from its first command to its last, in one shell, on a new server", {
    timeout: 240_000,
  }, async () => {
    const blocks = blocksFor("docs/api.md", "sh");
    expect(blocks.length).toBeGreaterThan(7);
    const { status, said } = await paste([...blocks, 'echo "KEY=$KEY TOKEN=$TOKEN"'].join("\n"));
    expect(status, said).toBe(0);
    const made = [...blocks.join("").matchAll(/ -o (\S+\.(jpg|webp|png|zip))\b/g)].map(([, name = "", format]) => ({
      name,
      format: format === "jpg" ? "jpeg" : format,
    }));
    expect(made.length).toBeGreaterThan(10);
    for (const { name, format } of made) expect(await contentOf(name), name).toBe(format);
    expect(said).toContain('"losses":[{"index":0');
    key = /KEY=(tt_live_\S+)/.exec(said)?.[1] ?? "";
    const secret = blocksFor("docs/urls.md", "sh").find((block) => block.includes("/api/webhooks/secret"));
    expect(await paste(secret ?? "", { TOKEN: /TOKEN=(\S+)/.exec(said)?.[1] ?? "" })).toMatchObject({
      status: 0,
      said: expect.stringContaining("whsec_"),
    });
  });

  test("a refused call of docs/api.md leaves no file where it would have written a picture", async () => {
    const calls = blocksOf("docs/api.md", "sh").flatMap((block) => block.match(/^(\w+=\$\()?curl(.*\\\n)*.*$/gm) ?? []);
    const writing = calls.filter((call) => / -o \S+\.(jpg|webp|png|zip)\b/.test(call));
    expect(writing.length).toBeGreaterThan(10);
    for (const call of writing) {
      const [, name = ""] = / -o (\S+)/.exec(call) ?? [];
      const variables = { KEY: "wrong", TEST_KEY: "wrong", PREVIEW: "none", ID: "none", JOB: "/api/jobs/none" };
      // The guest's call has no key: there a wrong field is refused.
      const refused = call.replaceAll(name, "refused").replace("quality=75 -o", "quality=750 -o");
      expect((await paste(refused, variables)).status, call).not.toBe(0);
      expect(existsSync(join(folder, "refused")), call).toBe(false);
    }
  });

  test("docs/moving-in.md works as it stands: the packages' programs over https, and curl", {
    timeout: 240_000,
  }, async () => {
    const shell = blocksFor("docs/moving-in.md", "sh");
    writeFileSync(join(folder, "large.png"), readFileSync(join(folder, "a.png")));
    const { status, said } = await paste(shell.join("\n"), { KEY: key });
    expect(status, said).toBe(0);
    expect(await contentOf("small.png")).toBe("png");
    rmSync(join(folder, "small.png"));
    rmSync(join(folder, "chair.png"), { force: true });
    const front = await startTlsFront(own.baseUrl);
    try {
      for (const block of blocksFor("docs/moving-in.md", "js")) {
        const trusting = block.replace(
          /^tinify.key/m,
          `tinify.Client.CA_BUNDLE = require("node:fs").readFileSync(process.env.NODE_EXTRA_CA_CERTS);\n$&`,
        );
        writeFileSync(join(folder, "program.cjs"), trusting.replaceAll("https://pictures.example.com", front.origin));
        const ran = await paste(`exec '${process.execPath}' program.cjs`, {
          TINTYPE_KEY: key,
          NODE_PATH: join(repository, "node_modules"),
          NODE_EXTRA_CA_CERTS: front.certificatePath,
        });
        expect(ran, ran.said).toMatchObject({ status: 0 });
      }
      for (const made of ["small.png", "chair.png"]) expect(await contentOf(made), made).toBe("png");
    } finally {
      await front.close();
    }
  });
});

/** A proxy with a certificate of its own, as an operator would put in front. */
async function startTlsFront(origin: string) {
  const [keyPath, certificatePath] = [join(folder, "front.key"), join(folder, "front.pem")];
  const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
  const made = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
  await run("openssl", ["req", "-x509", ...made, ...subject, "-keyout", keyPath, "-out", certificatePath]);
  const { hostname, port } = new URL(origin);
  const server = createServer(
    { key: readFileSync(keyPath), cert: readFileSync(certificatePath) },
    (incoming, outgoing) => {
      const { method, url: path, headers } = incoming;
      const passed = request({ hostname, port, method, path, headers }, (answer) => {
        outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(outgoing);
      });
      passed.on("error", () => outgoing.destroy());
      incoming.pipe(passed);
    },
  );
  await new Promise<void>((resolve) => server.listen(0, resolve));
  return {
    origin: `https://localhost:${(server.address() as AddressInfo).port}`,
    certificatePath,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

describe("the reference's programs compress a picture, and end with the sentence of a refusal", () => {
  test.each(programExamples("").map(({ language }) => language))("%s", async (language) => {
    const program = programExamples(app.baseUrl).find((one) => one.language === language);
    const room = join(folder, language);
    mkdirSync(room);
    writeFileSync(join(room, "photo.jpg"), readFileSync(join(folder, "photo.jpg")));
    writeFileSync(join(room, program?.file ?? ""), program?.code ?? "");
    const ran = await paste(`cd '${room}'; ${program?.command}`, { TOKEN: owner.token });
    expect(ran, ran.said).toMatchObject({ status: 0 });
    expect((await sharp(readFileSync(join(room, "smaller.jpg"))).metadata()).format).toBe("jpeg");
    rmSync(join(room, "smaller.jpg"));
    const refused = await paste(`cd '${room}'; ${program?.command}`, { TOKEN: "tt_live_wrong" });
    expect([refused.status === 0, refused.said]).toEqual([false, expect.stringContaining("This is not an API key.")]);
    expect(existsSync(join(room, "smaller.jpg"))).toBe(false);
  });
});

test("the quick start of the reference works from its first line to its last, in one shell", async () => {
  const own = await startTestApp({ environment: { OIDC_ISSUER: "", OIDC_AUDIENCE: "", OIDC_JWKS_URL: "" } });
  try {
    const steps = quickStart(own.baseUrl);
    for (const { shell } of steps)
      for (const line of shell.split("\n").filter((one) => /\bcurl\b/.test(one))) expect(line).toMatch(/--fail\b/);
    // A refused call saves no error as a picture.
    for (const call of steps.flatMap(({ shell }) => shell.match(/^curl(?:.*\\\n)*.*$/gm) ?? []))
      expect(call, call).toContain(/ -o /.test(call) ? "--fail " : "--fail-with-body ");
    const { status, said } = await paste(steps.map(({ shell }) => shell).join("\n"));
    expect(status, said).toBe(0);
    for (const made of ["smaller.jpg", "tintype.zip", "resized.zip", "once.jpg"])
      expect(readFileSync(join(folder, made)).length, made).toBeGreaterThan(200);
  } finally {
    await own.close();
  }
});
