import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { limits } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestApp, type TestApp } from "../testing/harness.ts";
import { noisePng, samplePng } from "../testing/pictures.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startTestApp();
});
afterAll(() => app.close());

/** The bytes of a dedicated connection, once they contain `until` or the server closes it. */
async function speak(lines: string[], { until, body }: { until: RegExp; body?: Iterable<string | Uint8Array> }) {
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  let said = "";
  const received = new Promise<string>((resolve) => {
    socket.on("data", (text) => {
      said += String(text);
      if (until.test(said)) resolve(said);
    });
    socket.once("close", () => resolve(said));
    socket.once("error", () => resolve(said));
  });
  socket.write(`${[...lines, `host: ${hostname}`].join("\r\n")}\r\n\r\n`);
  let isAnswered = false;
  received.then(() => {
    isAnswered = true;
  });
  for (const piece of body ?? []) {
    await send(socket, piece);
    if (isAnswered || socket.destroyed) break;
  }
  const answer = await received;
  socket.destroy();
  return answer;
}

/** Until the server accepts it, or stops reading. */
async function send(socket: Socket, piece: string | Uint8Array): Promise<void> {
  if (socket.destroyed || socket.write(piece)) return;
  const over = new AbortController();
  const { signal } = over;
  await Promise.race([once(socket, "drain", { signal }), once(socket, "close", { signal })]).catch(() => {});
  over.abort();
}

const formRoutes = Object.values(endpoints).filter((row) => "form" in row);
const boundary = "content-type: multipart/form-data; boundary=x";
const field = (name: string, value: string) =>
  `--x\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;

test.each(formRoutes.map(({ path }) => path))("%s keeps no more of a form's fields than its limits", async (path) => {
  const form = new FormData();
  for (let i = 0; i < 200; i++) form.append(`field${i}`, "x".repeat(1000));
  form.append("file", new Blob([new Uint8Array(samplePng(4, 4))]), "a.png");
  const answer = await app.caller().call(`/api${path}`, { form });
  // Someone else's job is not found, before a field is read.
  expect(answer.status).toBe(path.includes("{id}") ? 404 : 400);
});

test("a form of long fields is refused long before its end", async () => {
  const big = "x".repeat(1e6);
  let sent = 0;
  const form = (function* () {
    for (; sent < 100; sent++) yield field(`field${sent}`, big);
  })();
  const request = ["POST /api/convert/detect-source-format HTTP/1.1", boundary, `content-length: ${101e6 - 1}`];
  const answer = await speak(request, { until: /requestId"/, body: form });
  expect(answer).toMatch(/^HTTP\/1.1 400 /);
  expect(sent).toBeLessThan(60);
});

test("a format is told from a picture's first bytes, while the rest is still to come", async () => {
  const start = noisePng(300, 200).subarray(0, 60_000);
  const answer = await speak(["POST /api/convert/detect-source-format HTTP/1.1", boundary, "content-length: 9000000"], {
    until: /png/,
    body: ['--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n', start],
  });
  expect(answer).toMatch(/^HTTP\/1.1 200 [\s\S]*{"source_format":"png"}/);
});

test("a client that sends its whole picture before it listens gets its answer, and the connection serves again", async () => {
  const picture = Buffer.concat([samplePng(600, 400), Buffer.alloc(8e6)]);
  const form = () => {
    const made = new FormData();
    made.append("file", new Blob([picture]), "a.png");
    return made;
  };
  for (let i = 0; i < 3; i++) {
    const answer = await app.caller().call("/api/convert/detect-source-format", { form: form() });
    expect(await answer.json()).toEqual({ source_format: "png" });
  }
});

test("a sender that goes on for ever after its answer is cut off", async () => {
  const head = '--x\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n';
  const chunk = Buffer.alloc(1e6);
  let sent = 0;
  const endless = (function* () {
    yield `${head.length.toString(16)}\r\n${head}\r\n`;
    while (sent < 400) {
      sent++;
      yield Buffer.concat([Buffer.from(`${chunk.length.toString(16)}\r\n`), chunk, Buffer.from("\r\n")]);
    }
  })();
  await speak(["POST /api/convert/detect-source-format HTTP/1.1", boundary, "transfer-encoding: chunked"], {
    until: /this never comes/,
    body: endless,
  });
  expect(sent).toBeLessThan(200);
});

const asking = "expect: 100-continue";

test("an announced upload beyond the plan's limit is refused before it is asked for", async () => {
  const most = (limits.guest.filesPerBatch + 1) * limits.guest.megabytesPerFile * 1e6;
  for (const path of ["/api/compress", "/api/convert/detect-source-format"]) {
    const answer = await speak([`POST ${path} HTTP/1.1`, boundary, asking, `content-length: ${most * 10}`], {
      until: /HTTP\/1.1 [2-5]\d\d/,
    });
    expect(answer).not.toContain("100 Continue");
    expect(answer).toMatch(/^HTTP\/1.1 413 /);
  }
});

test("a JSON body beyond the limit is refused before it is asked for", async () => {
  const answer = await speak(
    ["POST /api/contact HTTP/1.1", "content-type: application/json", asking, "content-length: 5000000"],
    { until: /HTTP\/1.1 [2-5]\d\d/ },
  );
  expect(answer).toMatch(/^HTTP\/1.1 413 /);
});

test.each([
  ["/api/compress", boundary],
  ["/api/convert/detect-source-format", boundary],
  ["/api/contact", "content-type: application/json"],
  ["/api/webhooks/razorpay", "content-type: application/json\r\nx-razorpay-signature: 0"],
])("%s asks for an upload that fits", async (path, type) => {
  const answer = await speak([`POST ${path} HTTP/1.1`, type, asking, "content-length: 90000"], {
    until: /HTTP\/1.1 \d\d\d/,
  });
  expect(answer).toMatch(/^HTTP\/1.1 100 Continue/);
});

test("an unknown expectation is ignored, and its request gets the usual answer", async () => {
  const answer = await speak(
    ["POST /api/contact HTTP/1.1", "content-type: application/json", "expect: more", "content-length: 2"],
    {
      until: /requestId"/,
      body: ["{}"],
    },
  );
  expect(answer).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"invalid-request"/);
});

test("an address that does not take the method asks for no body", async () => {
  const answer = await speak(["POST /api/config HTTP/1.1", asking, "content-length: 9000"], {
    until: /HTTP\/1.1 [2-5]\d\d/,
  });
  expect(answer).toMatch(/^HTTP\/1.1 405 /);
});

test("a sender that ends its side within its upload is told so, and to send it again", async () => {
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  await once(socket, "connect");
  const part = '--x\r\ncontent-disposition: form-data; name="files"; filename="a"\r\n\r\n';
  socket.end(`POST /api/upload HTTP/1.1\r\nhost: x\r\n${boundary}\r\ncontent-length: 9000\r\n\r\n${part}abc`);
  let said = "";
  for await (const text of socket) said += String(text);
  expect(said).toMatch(/^HTTP\/1.1 400 [\s\S]*"code":"upload-cut-off"[\s\S]*"retryable":true/);
});

test("an address that the router refuses is answered with the id of its request too", async () => {
  const answer = await app.caller().call("/api/jobs/%zz");
  const { requestId } = (await answer.json()) as { requestId: string };
  expect([answer.status, answer.headers.get("x-request-id")]).toEqual([400, requestId]);
});
