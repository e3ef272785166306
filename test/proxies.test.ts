import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import {
  createServer,
  type IncomingMessage,
  request as requestHttp,
  type Server,
  type ServerResponse,
} from "node:http";
import { request as requestHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, describe, expect, test, vi } from "vitest";
import { freePort } from "../packages/server/src/testing/free-port.ts";
import { startTestApp, type TestApp } from "../packages/server/src/testing/harness.ts";

// The proxies of the documentation and of deploy/, with the real programs: what stands there is taken as it is, but for addresses,
// ports and certificates.

const operations = readFileSync("docs/operations.md", "utf8");
const blockOf = (language: string) => {
  const block = new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, "m").exec(operations)?.[1];
  if (block === undefined) throw new Error(`docs/operations.md has no block of ${language}`);
  return block;
};
/** Replaces what a machine has of its own. @throws Error if the documentation no longer has it */
const replaced = (config: string, changes: readonly (readonly [string, string])[]) =>
  changes.reduce((changed, [from, to]) => {
    if (!changed.includes(from)) throw new Error(`no ${from} in ${config}`);
    return changed.replaceAll(from, to);
  }, config);

const folder = mkdtempSync(join(tmpdir(), "tintype-proxies-"));
const running: ChildProcess[] = [];
const waitLimit = { timeout: 60_000, interval: 50 };
const host = "pictures.example";
const limitPerMinute = 1_000;

let app: TestApp;
let streaming: Server;
const streams: { request: IncomingMessage; response: ServerResponse; receivedBytes: number }[] = [];
beforeAll(async () => {
  app = await startTestApp({
    environment: {
      TINTYPE_ORIGIN: `https://${host}`,
      TINTYPE_TRUSTED_PROXIES: "127.0.0.1",
      TINTYPE_METRICS_TOKEN: "a-token-of-the-test",
      RATE_LIMIT_PER_MINUTE: String(limitPerMinute),
      PAYMENTS: "sandbox",
    },
  });
  streaming = createServer((request, response) => {
    if (request.url === "/readyz") return response.end();
    const stream = { request, response, receivedBytes: 0 };
    streams.push(stream);
    request.on("data", (bytes: Buffer) => {
      stream.receivedBytes += bytes.length;
    });
  });
  streaming.listen(0, "127.0.0.1");
  await once(streaming, "listening");
  execFileSync(
    "/usr/bin/openssl",
    [
      ...[
        "req",
        "-x509",
        "-newkey",
        "ec",
        "-pkeyopt",
        "ec_paramgen_curve:prime256v1",
        "-nodes",
        "-subj",
        `/CN=${host}`,
      ],
      ...["-keyout", join(folder, "key.pem"), "-out", join(folder, "certificate.pem")],
    ],
    { stdio: "pipe" },
  );
});
afterAll(async () => {
  for (const one of running) {
    one.kill();
    if (one.exitCode === null && one.signalCode === null) await once(one, "exit");
  }
  streaming.closeAllConnections();
  streaming.close();
  await app.close();
  rmSync(folder, { recursive: true, force: true });
});

type Started = { port: number; isTls: boolean };
type Start = (name: string, upstreamPort: number) => Promise<Started>;

const startNginx: Start = async (name, upstreamPort) => {
  const port = await freePort();
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
    .map((kind) => `${kind}_temp_path ${join(folder, name, kind)};`)
    .join("\n");
  const certificates = `/etc/letsencrypt/live/${host}`;
  const server = replaced(blockOf("nginx"), [
    ["listen 443 ssl", `listen 127.0.0.1:${port} ssl`],
    [`${certificates}/fullchain.pem`, join(folder, "certificate.pem")],
    [`${certificates}/privkey.pem`, join(folder, "key.pem")],
    ["127.0.0.1:3000", `127.0.0.1:${upstreamPort}`],
  ]);
  mkdirSync(join(folder, name));
  const file = join(folder, name, "nginx.conf");
  const user = process.getuid?.() === 0 ? "user root;" : "";
  writeFileSync(
    file,
    `daemon off;\n${user}\npid ${join(folder, name, "pid")};\nerror_log stderr;\nevents {}\nhttp {\naccess_log off;\n${temporary}\n${server}\n}\n`,
  );
  running.push(spawn("/usr/sbin/nginx", ["-c", file, "-p", join(folder, name), "-e", "stderr"], { stdio: "ignore" }));
  return { port, isTls: true };
};

async function startCaddy(name: string, config: string, environment: Record<string, string> = {}): Promise<void> {
  mkdirSync(join(folder, name));
  const file = join(folder, name, "Caddyfile");
  writeFileSync(file, config);
  running.push(
    spawn("/usr/bin/caddy", ["run", "--config", file, "--adapter", "caddyfile"], {
      stdio: "ignore",
      env: {
        ...process.env,
        ...environment,
        HOME: join(folder, name),
        XDG_DATA_HOME: join(folder, name),
        XDG_CONFIG_HOME: join(folder, name),
      },
    }),
  );
}

const startDocumentedCaddy: Start = async (name, upstreamPort) => {
  const port = await freePort();
  const global = `{\nadmin off\nlocal_certs\nskip_install_trust\nauto_https disable_redirects\nhttps_port ${port}\nhttp_port ${await freePort()}\n}\n`;
  await startCaddy(name, global + replaced(blockOf("caddyfile"), [["127.0.0.1:3000", `127.0.0.1:${upstreamPort}`]]));
  return { port, isTls: true };
};

const startDeployedCaddy: Start = async (name, upstreamPort) => {
  const port = await freePort();
  const config = replaced(readFileSync("deploy/Caddyfile", "utf8"), [
    ["api-1:3000 api-2:3000", `127.0.0.1:${upstreamPort} localhost:${upstreamPort}`],
  ]);
  await startCaddy(name, `{\nadmin off\n}\n${config}`, { SITE_ADDRESS: `:${port}` });
  return { port, isTls: false };
};

type Ask = { path: string; headers?: Record<string, string>; from?: string; method?: string };
function ask({ port, isTls }: Started, { path, headers = {}, from = "127.0.0.1", method = "GET" }: Ask) {
  const options = { host: "127.0.0.1", port, path, method, localAddress: from, headers: { host, ...headers } };
  return isTls
    ? requestHttps({ ...options, servername: host, rejectUnauthorized: false, agent: false })
    : requestHttp({ ...options, agent: false });
}
const answerOf = (request: ReturnType<typeof ask>) =>
  new Promise<IncomingMessage>((resolve, reject) => request.once("response", resolve).once("error", reject));
async function get(proxy: Started, options: Ask) {
  const answer = await answerOf(ask(proxy, options).end());
  return { status: answer.statusCode, headers: answer.headers, body: await text(answer) };
}

/** Started, once it passes requests on. */
async function started(start: Start, name: string, upstreamPort: number): Promise<Started> {
  const proxy = await start(name, upstreamPort);
  await vi.waitFor(async () => expect((await get(proxy, { path: "/readyz" })).status).toBe(200), waitLimit);
  return proxy;
}

describe.each([
  ["nginx of docs/operations.md", startNginx],
  ["Caddy of docs/operations.md", startDocumentedCaddy],
  ["Caddy of deploy/Caddyfile", startDeployedCaddy],
])("%s", (name, start) => {
  let proxy: Started;
  let toStreams: Started;
  beforeAll(async () => {
    const slug = name.replace(/\W+/g, "-");
    proxy = await started(start, slug, Number(new URL(app.baseUrl).port));
    toStreams = await started(start, `${slug}-streams`, (streaming.address() as AddressInfo).port);
  });

  test("every caller is counted by their own address, which they cannot choose", async () => {
    const left = async (from: string, headers: Record<string, string> = {}) => {
      const answer = await get(proxy, { path: "/api/config", from, headers });
      expect(answer.status).toBe(200);
      return Number(answer.headers["x-ratelimit-remaining"]);
    };
    const [one, other] = [`127.0.${running.length}.2`, `127.0.${running.length}.3`];
    expect(await left(one)).toBe(limitPerMinute - 1);
    expect(await left(other)).toBe(limitPerMinute - 1);
    for (const header of ["x-forwarded-for", "x-real-ip", "forwarded"])
      await left(one, { [header]: header === "forwarded" ? "for=203.0.113.9" : "203.0.113.9" });
    expect(await left(one)).toBe(limitPerMinute - 5);
  });

  test("a foreign host is not served, also with a header that claims ours", async () => {
    const ours = await get(proxy, { path: "/api/config" });
    expect(ours.body).toContain("identity");
    for (const headers of [{ host: "evil.example" }, { host: "evil.example", "x-forwarded-host": host }]) {
      const { status, body } = await get(proxy, { path: "/api/config", headers });
      expect(body).not.toContain("identity");
      // Caddy answers other names than its own with nothing.
      expect([200, 400, 421]).toContain(status);
    }
  });

  test("metrics are not public", async () => {
    for (const path of ["/metrics", "/metrics/", "//metrics", "/%6detrics", "/x/../metrics", "/metrics?x=1"]) {
      const { status, body } = await get(proxy, { path });
      expect([301, 308, 400, 401, 404], path).toContain(status);
      expect(body, path).not.toContain("tintype_");
    }
  });

  test("a large upload arrives while it is sent, and an event while the response goes on", async () => {
    const bytes = 30_000_000;
    const request = ask(toStreams, { path: "/", method: "POST", headers: { "content-length": String(bytes) } });
    const response = answerOf(request);
    const before = streams.length;
    request.write(Buffer.alloc(bytes / 2));
    await vi.waitFor(() => expect(streams[before]?.receivedBytes).toBe(bytes / 2), waitLimit);
    const stream = streams[before];
    request.end(Buffer.alloc(bytes / 2));
    await vi.waitFor(() => expect(stream?.receivedBytes).toBe(bytes), waitLimit);
    stream?.response.writeHead(200, { "content-type": "text/event-stream" });
    stream?.response.write("data: first\n\n");
    const answer = await response;
    let said = "";
    answer.on("data", (chunk) => {
      said += String(chunk);
    });
    await vi.waitFor(() => expect(said).toBe("data: first\n\n"), waitLimit);
    stream?.response.end("data: last\n\n");
    await vi.waitFor(() => expect(said).toContain("data: last\n\n"), waitLimit);
  });
});
