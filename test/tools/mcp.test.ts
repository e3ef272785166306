import { execFile } from "node:child_process";
import { once } from "node:events";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer, request } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { Client, InMemoryTransport, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { operationNames } from "@tintype/contract";
import sharp from "sharp";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { readConfig } from "../../packages/mcp/src/config.ts";
import { createCreditCap } from "../../packages/mcp/src/credit-cap.ts";
import { mcpServerAt } from "../../packages/mcp/src/mcp-server.ts";
import { serveHttp } from "../../packages/mcp/src/serve-http.ts";
import { openWorkspace, type Workspace } from "../../packages/mcp/src/workspace.ts";
import { isDeep } from "../../packages/server/src/testing/deep.ts";
import { startTestApp, type TestApp } from "../../packages/server/src/testing/harness.ts";
import { noisePng, samplePng } from "../../packages/server/src/testing/pictures.ts";

const run = promisify(execFile);
const tool = (name: string) => fileURLToPath(new URL(`../../node_modules/${name}`, import.meta.url));

const root = realpathSync(mkdtempSync(join(tmpdir(), "tintype-mcp-")));
const [folder, outside] = [join(root, "pictures"), join(root, "outside")];
let local: Workspace;
beforeAll(async () => {
  for (const name of ["cache", "data", "config"]) process.env[`XDG_${name.toUpperCase()}_HOME`] = join(root, name);
  mkdirSync(folder);
  local = await openWorkspace(configOf([]));
});
beforeEach(() => {
  for (const path of [folder, outside]) {
    rmSync(path, { recursive: true, force: true });
    mkdirSync(path);
  }
  writeFileSync(join(folder, "photo.png"), samplePng(900, 600));
  writeFileSync(join(outside, "secret.png"), samplePng(40, 40));
});
const open = new Set<Client>();
const workspaces = new Set<Workspace>();
afterEach(async () => {
  for (const client of open) await client.close();
  open.clear();
  for (const workspace of workspaces) await workspace.close();
  workspaces.clear();
});
afterAll(async () => {
  await local.close();
  rmSync(root, { recursive: true, force: true });
});

type Answer = {
  text: string;
  isError: boolean;
  content: { type: string; text?: string; data?: string; mimeType?: string }[];
  data: Record<string, unknown> & { files: Record<string, unknown>[]; credits: number };
};

const configOf = (args: string[], env: Record<string, string> = {}) => {
  const config = readConfig([...args, folder], env);
  if (config === "help") throw new Error("There is no --help in these tests.");
  return config;
};

/** The workplace on this computer is that of all tests, whose engines are started once; one on a server is of this test. */
async function workspaceOf(config: ReturnType<typeof configOf>): Promise<Workspace> {
  if (!config.server) return local;
  const workspace = await openWorkspace(config);
  workspaces.add(workspace);
  return workspace;
}

/** Connects the official client in memory. The program's own processes, over stdio, are in test/packed. */
async function start(args: string[] = [], { env = {} } = {}) {
  const client = new Client({ name: "test", version: "1" });
  const [ours, theirs] = InMemoryTransport.createLinkedPair();
  await (await mcpServerAt(await workspaceOf(configOf(args, env)))({ era: "legacy" })).connect(theirs);
  await client.connect(ours);
  open.add(client);
  return { client, call: callerOf(client) };
}

const callerOf =
  (client: Client) =>
  async (name: string, sent: Record<string, unknown>, options: Parameters<Client["callTool"]>[1] = {}) => {
    const answer = await client.callTool({ name, arguments: sent }, options);
    const content = answer.content as Answer["content"]; // of all content types, tools send only text and pictures
    return {
      content,
      isError: answer.isError === true,
      data: answer.structuredContent as Answer["data"],
      text: content.map(({ text = "" }) => text).join("\n"),
    } satisfies Answer;
  };

/** Serves streamable HTTP until the test leaves the block. */
async function startHttp(args: string[] = [], env: Record<string, string> = {}) {
  const token = "a token of this very test";
  const config = configOf(["--http", "0", ...args], { TINTYPE_MCP_TOKEN: token, ...env });
  const workspace = await workspaceOf(config);
  if (!config.http) throw new Error("There is --http.");
  const { url, close } = await serveHttp(
    () => mcpServerAt({ ...workspace, cap: createCreditCap(workspace.cap.max) }),
    config.http,
  );
  expect(url).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/);
  return {
    url,
    token,
    /** Opens a new session. */
    async connect() {
      const client = new Client({ name: "test", version: "1" });
      open.add(client);
      const requestInit = { headers: { authorization: `Bearer ${token}` } };
      await client.connect(new StreamableHTTPClientTransport(new URL(url), { requestInit }));
      return { client, call: callerOf(client) };
    },
    [Symbol.asyncDispose]: close,
  };
}

test("each operation of the manifest is a tool with its options, and one line says where pictures go", async () => {
  const { client } = await start();
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining([
      ...["compress_images", "resize_images", "convert_images", "upscale_images", "remove_background"],
      ...["run_recipe", "quote", "get_usage", "list_images", "inspect_images"],
    ]),
  );
  expect(names).toHaveLength(operationNames.length + 5);
  // A model reads the list before its first token.
  expect(JSON.stringify(tools).length).toBeLessThan(27_500);
  const { properties, required } = tools.find(({ name }) => name === "convert_images")?.inputSchema ?? {};
  expect(required).toEqual(expect.arrayContaining(["files", "target_format"]));
  expect(properties?.["max_bytes"]).toMatchObject({ type: "integer", minimum: 100 });
  const schemaOf = (name: string) => tools.find((one) => one.name === name)?.inputSchema.properties ?? {};
  expect(schemaOf("resize_images")["method"]).toMatchObject({ default: "fill" });
  expect(schemaOf("compress_images")["quality"]).toMatchObject({ description: expect.stringContaining(": 75.") });
  expect(schemaOf("compress_images")["suffix"]).toMatchObject({ description: expect.stringContaining("-compress") });
  expect(schemaOf("run_recipe")["recipe"]).toMatchObject({ description: expect.stringContaining("web-hero") });
  // Tools have no headers, no status codes and no call for edits.
  expect(JSON.stringify(tools)).not.toMatch(/X-[A-Z]|POST|\b200 with|editable/);
  expect(client.getInstructions()).toContain("Pictures stay on this computer.");
  const { resources } = await client.listResources();
  expect(resources.map(({ uri }) => uri)).toEqual(["tintype://recipes", "tintype://usage"]);
  const { contents } = await client.readResource({ uri: "tintype://recipes" });
  expect(contents[0] && "text" in contents[0] && contents[0].text).toContain('"avatar"');
});

test("pictures are worked on offline: files, folders, an operation after the other, with a preview", async () => {
  const { call } = await start();
  const made = await call("compress_images", { files: ["photo.png"], quality: 60, preview: true });
  expect(made).toMatchObject({ isError: false, data: { credits: 0, where: "Pictures stay on this computer." } });
  const [file] = made.data.files;
  expect(file).toMatchObject({ outcome: "done", result_path: join(folder, "photo-compress.png"), width: 900 });
  expect(readFileSync(join(folder, "photo-compress.png")).length).toBe(file?.["result_bytes"]);
  const shown = made.content.find(({ type }) => type === "image");
  const { width, format } = await sharp(Buffer.from(shown?.data ?? "", "base64")).metadata();
  expect([shown?.mimeType, format, width]).toEqual(["image/jpeg", "jpeg", 512]);

  writeFileSync(join(folder, "other.png"), samplePng(300, 200, 2));
  const out = { output_folder: "small" };
  const batch = await call("run_recipe", {
    files: ["."],
    ...out,
    recipe: [{ resize: { width: 90 } }, { convert: { target_format: "webp" } }],
  });
  expect(batch.data.files.map(({ outcome }) => outcome)).toEqual(["done", "done", "done"]);
  expect(readdirSync(join(folder, "small")).sort()).toEqual(["other.webp", "photo-compress.webp", "photo.webp"]);
  // Results of earlier calls are not sources of the next one.
  const again = await call("compress_images", { files: ["."], quality: 60 });
  expect(again.data.files.map(({ path }) => path)).not.toContain(join(folder, "photo-compress.png"));
  const quote = await call("quote", { files: ["photo.png"], operation: "resize", options: { width: 20 } });
  expect(quote.data).toMatchObject({ credits: 0, files: 1, refusals: [] });
  expect((await call("get_usage", {})).data).toMatchObject({ where: "Pictures stay on this computer." });
});

test("a web set lies as files in the output folder, and without one it is refused", async () => {
  const { call } = await start();
  const wish = { files: ["photo.png"], widths: "60", formats: "webp,jpeg" };
  expect(await call("web_set", wish)).toMatchObject({ isError: true, text: expect.stringContaining("output_folder") });
  const made = await call("web_set", { ...wish, output_folder: "web", preview: true });
  expect(made.data.files).toMatchObject([{ outcome: "done", result_path: join(folder, "web/photo"), width: 60 }]);
  const files = ["photo-60.jpg", "photo-60.webp", "picture.html", "set.json"];
  expect(readdirSync(join(folder, "web/photo")).sort()).toEqual(files);
});

test("the text tells what a model needs where its host shows nothing else", async () => {
  writeFileSync(join(folder, "two\nlines.png"), samplePng(60, 40));
  writeFileSync(join(folder, "text.png"), "no picture");
  const { call } = await start();
  const made = await call("resize_images", { files: ["two\nlines.png"], width: 30 });
  const [file] = made.data.files;
  expect(made.text.split("\n")).toEqual([
    `${join(folder, "two lines.png")}: ${file?.["source_bytes"]} bytes became ${file?.["result_bytes"]} bytes, 30 x 20 px, at ${join(folder, "two lines-resize.png")}.`,
    "Pictures stay on this computer.",
  ]);
  const quoted = await call("quote", { files: ["text.png"], operation: "resize", options: { width: 20 } });
  writeFileSync(join(folder, "alpha.png"), samplePng(50, 40));
  const toJpeg = { operation: "convert", options: { target_format: "jpeg" } };
  const one = await call("quote", { files: ["photo.png"], ...toJpeg });
  const two = await call("quote", { files: ["photo.png", "alpha.png"], ...toJpeg });
  expect(one.data["losses"]).not.toEqual([]);
  expect(two.data["losses"]).toEqual(one.data["losses"]);
  expect(quoted.text).toMatch(/^1 file would take 0 credits.*\n.*text\.png: refused\. This file is not an image/);
});

test("a recipe is taken in each of the API's shapes, and what is wrong with one is told", async () => {
  const { client, call } = await start();
  const steps = [{ resize: { width: 20 } }, { convert: { target_format: "webp" } }];
  const shapes = [
    steps,
    { steps },
    { name: "small", steps },
    JSON.stringify(steps),
    JSON.stringify({ steps }),
    "avatar",
  ];
  for (const [index, recipe] of shapes.entries()) {
    const made = await call("run_recipe", { recipe, files: ["photo.png"], output_folder: `recipe-${index}` });
    expect(made.data.files, JSON.stringify(recipe)).toMatchObject([{ outcome: "done" }]);
    expect(await call("quote", { recipe, files: ["photo.png"] })).toMatchObject({ isError: false });
  }
  for (const [recipe, said] of [
    ["[{", "The recipe is not valid JSON."],
    [{ steps: [{ resise: {} }] }, 'Did you mean "resize"?'],
    [{ steps: [] }, "A recipe has 1 to 6 steps."],
  ] as const) {
    const refused = await call("run_recipe", { recipe, files: ["photo.png"], output_folder: "refused" });
    expect([refused.isError, refused.text]).toEqual([true, expect.stringContaining(said)]);
  }
  const { tools } = await client.listTools();
  const described = (name: string) => tools.find((tool) => tool.name === name)?.description ?? "";
  for (const name of ["web_set", "crop_images", "turn_images"]) expect(described(name)).not.toMatch(/recipe/);
});

test("no file is overwritten, be it another's or an earlier result", async () => {
  const { call } = await start();
  const target = join(folder, "photo-resize.png");
  writeFileSync(target, "another's");
  const files = ["photo.png"];
  const refused = await call("resize_images", { files, width: 100 });
  expect(refused).toMatchObject({ isError: true, data: { files: [{ outcome: "failed", code: "exists" }] } });
  expect(readFileSync(target, "utf8")).toBe("another's");
  await call("resize_images", { files, width: 100, suffix: "-x" });
  const first = readFileSync(join(folder, "photo-x.png"));
  expect((await call("resize_images", { files, width: 50, suffix: "-x" })).isError).toBe(true);
  expect(readFileSync(join(folder, "photo-x.png")).equals(first)).toBe(true);
  expect(readdirSync(folder).sort()).toEqual(["photo-resize.png", "photo-x.png", "photo.png"]);
});

test("nothing outside of the allowed folders is read or written, by no path and by no link", async () => {
  symlinkSync(join(outside, "secret.png"), join(folder, "link.png"));
  symlinkSync(outside, join(folder, "way-out"));
  mkdirSync(join(folder, "out"));
  symlinkSync(outside, join(folder, "out/sub"));
  mkdirSync(join(folder, "sub"));
  writeFileSync(join(folder, "sub/deep.png"), samplePng(30, 30));
  const { call } = await start();
  const paths = [
    join(outside, "secret.png"),
    join(outside, "none.png"),
    "../outside/secret.png",
    "link.png",
    "way-out",
  ];
  const answers = await Promise.all(paths.map((path) => call("compress_images", { files: [path], quality: 60 })));
  for (const { isError, text } of answers) {
    expect(isError).toBe(true);
    expect(text).toContain("is not in a folder that may be used");
  }
  for (const wish of [
    { output_folder: outside },
    { output_folder: "way-out/new" },
    { suffix: "/../../outside/x" },
    { files: ["sub", "photo.png"], output_folder: "out/../way-out" },
    { files: ["."], output_folder: "out" },
  ])
    expect((await call("compress_images", { files: ["photo.png"], quality: 60, ...wish })).isError).toBe(true);
  const cutout = { files: ["photo.png"], background_image: join(outside, "secret.png") };
  expect((await call("remove_background", cutout)).text).toContain("is not in a folder that may be used");
  // Symbolic links that lead out of a folder are skipped.
  const all = await call("compress_images", { files: ["."], quality: 60, suffix: "-y" });
  expect(all.data.files.map(({ path }) => path)).toEqual([join(folder, "photo.png"), join(folder, "sub/deep.png")]);
  expect(readdirSync(outside)).toEqual(["secret.png"]);
});

test("a refusal is a sentence, and a call that is cancelled leaves nothing behind", async () => {
  writeFileSync(join(folder, "small.png"), samplePng(60, 60));
  writeFileSync(join(folder, "slow.png"), noisePng(1500, 1500));
  writeFileSync(join(folder, "text.png"), "no picture");
  const { call, client } = await start();
  expect(await call("compress_images", { files: ["small.png"], quality: 60, max_bytes: 100 })).toMatchObject({
    isError: true,
    data: { files: [{ code: "size-unreachable" }] },
  });
  expect((await call("compress_images", { files: ["text.png"], quality: 60 })).text).toContain("not an image");
  await expect(call("compress_images", { files: ["photo.png"], qualty: 60 })).resolves.toMatchObject({ isError: true });

  const stop = new AbortController();
  const seen: number[] = [];
  const call2 = call(
    "compress_images",
    { files: ["small.png", "slow.png"], quality: 91 },
    {
      signal: stop.signal,
      onprogress: ({ progress }) => {
        seen.push(progress);
        if (progress >= 1) stop.abort(new Error("enough"));
      },
    },
  );
  await expect(call2).rejects.toThrow();
  expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  expect((await client.listTools()).tools.length).toBeGreaterThan(0);
  expect(existsSync(join(folder, "slow-compress.png"))).toBe(false);
});

describe("on a server", () => {
  let app: TestApp;
  beforeAll(async () => {
    app = await startTestApp();
  });
  afterAll(() => app.close());

  async function account() {
    const person = await app.person();
    const made = await person.call("/api/keys", {
      json: { name: "MCP", scopes: ["process", "jobs:read", "usage:read"] },
    });
    const { key } = (await made.json()) as { key: string };
    const used = async () =>
      ((await (await person.call("/api/user-info")).json()) as { service_count: number }).service_count;
    return { env: { TINTYPE_KEY: key }, used };
  }

  test("the results are those of the server, and the credits are told", async () => {
    const { env, used } = await account();
    const { call, client } = await start(["--server", app.baseUrl], { env });
    expect(client.getInstructions()).toContain(`Pictures go to ${app.baseUrl}.`);
    const made = await call("convert_images", { files: ["photo.png"], target_format: "webp" });
    expect(made.data).toMatchObject({ credits: 1, files: [{ outcome: "done", width: 900 }] });
    expect((await sharp(join(folder, "photo.webp")).metadata()).format).toBe("webp");
    expect(await used()).toBe(1);
    expect((await call("get_usage", {})).data).toMatchObject({
      plan: "hobby",
      credits_used: 1,
      credits_limit: 100,
      session_credits_taken: 1,
    });
    const { contents } = await client.readResource({ uri: "tintype://usage" });
    expect(contents[0] && "text" in contents[0] && contents[0].text).toContain('"credits_used":1');
    // Already processed: the kept result costs nothing.
    const again = await call("convert_images", { files: ["photo.png"], target_format: "webp", suffix: "-2" });
    expect(again.data.credits).toBe(0);
  });

  test("a session takes no more credits than it may", async () => {
    const { env, used } = await account();
    for (const seed of [1, 2, 3]) writeFileSync(join(folder, `${seed}.png`), samplePng(60, 60, seed));
    const { call } = await start(["--server", app.baseUrl, "--max-credits", "2"], { env });
    const refused = await call("compress_images", { files: ["."], quality: 60 });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("would take 4 credits, and 2 of the 2");
    expect(await used()).toBe(0);
    const both = await Promise.all([
      call("compress_images", { files: ["1.png", "2.png"], quality: 60 }),
      call("compress_images", { files: ["3.png"], quality: 60 }),
    ]);
    expect(both.filter(({ isError }) => isError)).toHaveLength(1);
    expect(await used()).toBeLessThanOrEqual(2);
    expect((await call("quote", { files: ["3.png"], operation: "upscale", options: {} })).data).toMatchObject({
      credits: 1,
    });
  });

  test("the cap holds for more files than a batch takes, and a quote names those that are no pictures", async () => {
    const { env, used } = await account();
    const many = join(folder, "many");
    mkdirSync(many);
    for (let seed = 1; seed <= 24; seed++) writeFileSync(join(many, `${seed}.png`), samplePng(40, 40, seed));
    writeFileSync(join(many, "0.jpg"), "no picture");
    const { call } = await start(["--server", app.baseUrl, "--max-credits", "3"], { env });
    expect((await call("quote", { files: ["many"], operation: "compress" })).text).toContain(
      "This session may take 3 more credits.",
    );
    const refused = await call("compress_images", { files: ["many"], quality: 60 });
    expect(refused.isError).toBe(true);
    expect(refused.text).toContain("would take 24 credits, and 3 of the 3");
    expect(await used()).toBe(0);
    expect((await call("quote", { files: ["many"], operation: "compress", options: {} })).data).toMatchObject({
      files: 25,
      credits: 24,
      refusals: [{ path: join(many, "0.jpg"), code: "not-an-image" }],
    });
  });

  test("over HTTP each session has its own cap, and none takes another's", async () => {
    const { env, used } = await account();
    for (const seed of [1, 2]) writeFileSync(join(folder, `${seed}.png`), samplePng(60, 60, seed + 20));
    await using http = await startHttp(["--server", app.baseUrl, "--max-credits", "1"], env);
    const [first, second] = [await http.connect(), await http.connect()];
    expect((await first.call("compress_images", { files: ["1.png"], quality: 60 })).isError).toBe(false);
    const refused = await first.call("compress_images", { files: ["2.png"], quality: 60 });
    expect(refused).toMatchObject({ isError: true, text: expect.stringContaining("0 of the 1") });
    expect((await second.call("get_usage", {})).data).toMatchObject({ session_credits_taken: 0 });
    expect((await second.call("compress_images", { files: ["2.png"], quality: 60 })).isError).toBe(false);
    expect((await first.call("get_usage", {})).data).toMatchObject({ session_credits_taken: 1 });
    expect(await used()).toBe(2);
  });
});

test("over HTTP it asks for its token, and knows its own names only", async () => {
  await using http = await startHttp();
  const { url, token } = http;
  const { call } = await http.connect();
  const progress: number[] = [];
  const made = await call(
    "resize_images",
    { files: ["photo.png"], width: 80 },
    {
      onprogress: (one) => progress.push(one.progress),
    },
  );
  expect(made.data.files).toMatchObject([{ outcome: "done", width: 80 }]);
  expect(progress.at(-1)).toBe(1);

  const statusFor = async (headers: Record<string, string>, path = "/mcp") => {
    const asked = request(url, {
      method: "POST",
      path,
      headers: { "content-type": "application/json", accept: "application/json, text/event-stream", ...headers },
    });
    asked.end('{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{}}');
    const [answer] = (await once(asked, "response")) as [import("node:http").IncomingMessage];
    answer.resume();
    return answer.statusCode;
  };
  const authorization = `Bearer ${token}`;
  expect(await statusFor({})).toBe(401);
  expect(await statusFor({ authorization: "Bearer another" })).toBe(401);
  expect(await statusFor({ authorization, host: "evil.example" })).toBe(403);
  expect(await statusFor({ authorization, origin: "https://evil.example" })).toBe(403);
  expect(await statusFor({ authorization }, "/else")).toBe(404);
  expect(await statusFor({ authorization }, "//[")).toBe(404); // not a valid URL
  expect(await statusFor({ authorization, "mcp-session-id": "another" })).toBe(404);
  expect(await statusFor({ authorization, origin: "http://localhost:5173" })).toBe(200);
});

test("the conformance suite passes over HTTP, in the scenarios that need no tools of its own", async () => {
  await using http = await startHttp();
  const { port } = new URL(http.url);
  // The suite sends no token. This proxy adds it and changes nothing else, not even Host and Origin.
  const proxy = createServer((incoming, answer) => {
    const headers = { ...incoming.headers, authorization: `Bearer ${http.token}` };
    const onward = request({ port, path: incoming.url, method: incoming.method, headers }, (answered) => {
      answer.writeHead(answered.statusCode ?? 500, answered.headers);
      answered.pipe(answer);
    });
    onward.on("error", () => answer.destroy());
    incoming.pipe(onward);
  });
  await new Promise<void>((listening) => proxy.listen(0, "127.0.0.1", listening));
  const address = proxy.address() as AddressInfo; // a TCP server has one
  try {
    const scenarios = [
      "server-initialize",
      "tools-list",
      ...(isDeep ? ["ping", "resources-list", "dns-rebinding-protection"] : []),
    ];
    for (const scenario of scenarios) {
      const suite = tool("@modelcontextprotocol/conformance/dist/index.js");
      const args = ["server", "--url", `http://127.0.0.1:${address.port}/mcp`, "--scenario", scenario];
      const { stdout } = await run(process.execPath, [suite, ...args], { cwd: root, timeout: 60_000 });
      expect(stdout, scenario).toMatch(/Passed: (\d+)\/\1, 0 failed/);
    }
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});

test("pictures are listed and looked at before anything is done, and a format may be named by its ending", async () => {
  const { call } = await start();
  const listed = await call("list_images", {});
  expect(listed.text).toContain(join(folder, "photo.png"));
  expect((await call("inspect_images", { files: ["photo.png"] })).text).toMatch(
    /photo[.]png: png, \d+ x \d+ px, \d+ bytes/,
  );
  writeFileSync(
    join(folder, "where.jpg"),
    await sharp({ create: { width: 30, height: 20, channels: 3, background: "#888" } })
      .withExif({ IFD3: { GPSLatitude: "51/1 30/1 0/1", GPSLatitudeRef: "N" } })
      .jpeg()
      .toBuffer(),
  );
  writeFileSync(
    join(folder, "clear.webp"),
    await sharp({ create: { width: 30, height: 20, channels: 4, background: "#8888" } })
      .webp({ lossless: true })
      .toBuffer(),
  );
  const details = await call("inspect_images", { files: ["where.jpg", "clear.webp"] });
  expect(details.data["pictures"]).toMatchObject([
    { format: "jpeg", has_alpha: false, has_exif: true, has_gps: true },
    { format: "webp", has_alpha: true, has_exif: false, has_gps: false },
  ]);
  expect(details.text).toMatch(/where[.]jpg: .* bytes, EXIF, GPS location\n.*clear[.]webp: .* bytes, alpha channel/);
  const outOf = await call("list_images", { folder: outside });
  expect([outOf.isError, outOf.text]).toEqual([true, expect.stringContaining("is not in a folder that may be used")]);
  const made = await call("convert_images", { files: ["photo.png"], target_format: "jpg", output_folder: "as-jpg" });
  expect(made.data.files).toMatchObject([{ outcome: "done", result_path: join(folder, "as-jpg", "photo.jpg") }]);
});
