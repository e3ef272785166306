import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import { isDeep } from "../../packages/server/src/testing/deep.ts";
import { samplePng } from "../../packages/server/src/testing/pictures.ts";
import { installPacked, nodeRelease, nodeReleases, type Packed, plainEnvironment, putNpx } from "./pack.ts";

const run = promisify(execFile);
const repository = fileURLToPath(new URL("../..", import.meta.url));
const tool = (name: string) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));

let packed: Packed;
let root: string;
let folder: string;
let outside: string;
beforeAll(async () => {
  packed = await installPacked("@tintype/mcp");
});
afterAll(() => packed.remove());
beforeEach(() => {
  root = realpathSync(mkdtempSync(join(tmpdir(), "tintype-mcp-")));
  folder = join(root, "pictures");
  outside = join(root, "outside");
  mkdirSync(folder);
  mkdirSync(outside);
  writeFileSync(join(folder, "photo.png"), samplePng(900, 600));
  writeFileSync(join(outside, "secret.png"), samplePng(40, 40));
});
const open = new Set<Client>();
afterEach(async () => {
  for (const client of open) await client.close();
  open.clear();
  rmSync(root, { recursive: true, force: true });
});

const program = () => join(packed.folder, "node_modules/@tintype/mcp/dist/tintype-mcp.js");
const environment = (more: Record<string, string> = {}) => ({
  ...Object.fromEntries(Object.entries(plainEnvironment()).flatMap(([name, value]) => (value ? [[name, value]] : []))),
  ...{ XDG_CACHE_HOME: join(root, "cache"), XDG_DATA_HOME: join(root, "data"), XDG_CONFIG_HOME: join(root, "config") },
  ...more,
});

/** Starts the official client over stdio. */
async function start(major: 20 | 22 | 24) {
  const client = new Client({ name: "test", version: "1" });
  open.add(client);
  await client.connect(
    new StdioClientTransport({
      command: await nodeRelease(major),
      args: [program(), folder],
      env: environment(),
      stderr: "pipe",
    }),
  );
  return client;
}

test("publint and are-the-types-wrong find nothing, and no private package is needed", async () => {
  const [tarball = ""] = packed.tarballs;
  await run(process.execPath, [tool("publint/src/cli.js"), "--strict", tarball]);
  const attw = tool("@arethetypeswrong/cli/dist/index.js");
  await run(process.execPath, [attw, tarball, "--profile", "esm-only", "--no-emoji"]);
  const at = join(packed.folder, "node_modules/@tintype/mcp");
  const manifest = JSON.parse(readFileSync(join(at, "package.json"), "utf8")) as { dependencies: object };
  expect(Object.keys(manifest.dependencies).filter((name) => name.startsWith("@tintype/"))).toEqual([]);
  expect(readdirSync(at).sort()).toEqual(["LICENSE", "README.md", "dist", "package.json"]);
});

/** A documented line or configuration, with the places of this test in place of those of the documents. */
const placed = (text: string) =>
  text
    .replaceAll("/home/ann/tintype/dist/tintype-mcp-1.0.0.tgz", packed.tarballs[0] ?? "")
    .replaceAll("/home/ann/site/images", folder);

/** For a line that runs npx: see `putNpx`. */
function npxEnvironment(): Record<string, string> {
  if (isDeep) return { npm_config_prefer_offline: "true" };
  const bin = join(root, "bin");
  putNpx(bin, join(packed.folder, "node_modules/.bin/tintype-mcp"));
  return { PATH: `${bin}:${process.env["PATH"]}` };
}

test.each(["docs/mcp.md", "packages/mcp/README.md"])(
  "each configuration of a host in %s starts the server as it stands",
  async (path) => {
    const text = readFileSync(join(repository, path), "utf8");
    const blocks = [...text.matchAll(/^```json\n(.*?)^```$/gms)].map(([, block = ""]) => placed(block));
    expect(blocks.length).toBeGreaterThan(0);
    for (const block of blocks) {
      const { mcpServers } = JSON.parse(block) as {
        mcpServers: Record<string, { command: string; args: string[]; env?: Record<string, string> }>;
      };
      const { command = "", args, env = {} } = mcpServers["tintype"] ?? {};
      const client = new Client({ name: "test", version: "1" });
      open.add(client);
      const transport = new StdioClientTransport({
        command,
        args: args ?? [],
        env: environment({ ...npxEnvironment(), ...env }),
        stderr: "pipe",
      });
      await client.connect(transport, { timeout: 120_000 });
      expect((await client.listTools()).tools.map(({ name }) => name)).toContain("compress_images");
    }
  },
  280_000,
);

test("the line that serves over HTTP works as it stands", async () => {
  const text = readFileSync(join(repository, "docs/mcp.md"), "utf8");
  const [, block = ""] = /^```sh\n(.*?)^```$/ms.exec(text) ?? [];
  expect(block).toContain("--http 3900");
  const line = placed(block).replace("--http 3900", "--http 0"); // the port may be taken here
  const child = spawn("bash", ["-euc", line], {
    env: environment(npxEnvironment()),
    stdio: ["ignore", "ignore", "pipe"],
    detached: true,
  });
  try {
    let url: string | undefined;
    for await (const text of createInterface(child.stderr)) {
      url = /^Listening at (.*)$/.exec(text)?.[1];
      if (url) break;
    }
    expect(url).toMatch(/^http:[/][/]127[.]0[.]0[.]1:\d+[/]mcp$/);
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, "SIGTERM"); // bash, npx and the server
  }
}, 120_000);

test("it ends in order where its host has gone and reads no more", async () => {
  const child = spawn(await nodeRelease(24), [program(), folder], { env: environment(), stdio: "pipe" });
  const said: string[] = [];
  child.stderr.on("data", (bytes: Buffer) => said.push(bytes.toString()));
  await once(child.stderr, "data");
  child.stdout.destroy();
  const clientInfo = { name: "test", version: "1" };
  const params = { protocolVersion: "2025-06-18", capabilities: {}, clientInfo };
  child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
  expect(await once(child, "close")).toEqual([0, null]);
  expect(said.join("")).toBe(`Folders: ${folder}. Pictures stay on this computer.\n`);
});

test("it ends in order where there is no host, as after </dev/null", async () => {
  const child = spawn(await nodeRelease(24), [program(), folder], {
    env: environment(),
    stdio: ["ignore", "ignore", "pipe"],
  });
  expect(await once(child, "close")).toEqual([0, null]);
});

test("the command line is refused with a sentence, and the token has to be long", async () => {
  const node = await nodeRelease(24);
  const refusal = (args: string[], env: Record<string, string> = {}) =>
    run(node, [program(), ...args], { env: environment(env) }).then(
      () => ({ code: 0, stderr: "" }),
      ({ code, stderr }: { code: number; stderr: string }) => ({ code, stderr }),
    );
  expect(await refusal([])).toMatchObject({ code: 2, stderr: expect.stringContaining("at least one folder") });
  expect(await refusal(["--server", "https://a.example", folder])).toMatchObject({ code: 2 });
  const plain = await refusal(["--server", "http://203.0.113.9", folder], { TINTYPE_KEY: "tt_live_0" });
  expect(plain).toMatchObject({ code: 2, stderr: expect.stringContaining("Use https://") });
  expect(await refusal(["--http", "0", folder], { TINTYPE_MCP_TOKEN: "short" })).toMatchObject({ code: 2 });
  expect(await refusal([join(root, "none")])).toMatchObject({ code: 1, stderr: expect.stringContaining("no folder") });
  expect((await run(node, [program(), "--help"])).stdout).toContain("--max-credits");
});

test.each(nodeReleases)("it works on Node.js %i", async (major) => {
  const client = await start(major);
  const wish = { files: ["photo.png"], target_format: "avif" };
  const made = await client.callTool({ name: "convert_images", arguments: wish });
  expect(made.structuredContent).toMatchObject({
    files: [{ outcome: "done", result_path: join(folder, "photo.avif") }],
  });
  // The networks' packages are not among its dependencies.
  const refused = await client.callTool({ name: "upscale_images", arguments: { files: ["photo.png"] } });
  expect(JSON.stringify(refused.content)).toContain("tintype install upscale");
});
