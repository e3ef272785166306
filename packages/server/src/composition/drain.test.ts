import { connect } from "node:net";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { jobBlobs } from "../features/jobs/tables.ts";
import { startTestApp, type TestApp } from "../testing/harness.ts";
import { samplePng } from "../testing/pictures.ts";

test("an upload that is on its way when the process is told to end gets its picture, and its connection is closed after it", async () => {
  const app = await startTestApp();
  const { hostname, port } = new URL(app.baseUrl);
  const part = (name: string, value: string) => `--x\r\ncontent-disposition: form-data; name="${name}"${value}\r\n`;
  const body = Buffer.concat([
    Buffer.from(
      `${part("quality", "")}\r\n60\r\n${part("files", '; filename="a.png"')}content-type: image/png\r\n\r\n`,
    ),
    samplePng(30, 20),
    Buffer.from("\r\n--x--\r\n"),
  ]);
  const socket = connect(Number(port), hostname);
  const answer = text(socket);
  socket.write(
    `POST /api/compress/ HTTP/1.1\r\nhost: a\r\ncontent-type: multipart/form-data; boundary=x\r\ncontent-length: ${body.length}\r\n\r\n`,
  );
  socket.write(body.subarray(0, 120));
  await expect.poll(async () => (await app.db.select().from(jobBlobs)).length).toBe(1);
  const closed = app.close({ graceMs: 30_000 });
  socket.write(body.subarray(120));
  expect(await answer).toMatch(/^HTTP\/1.1 200 OK[\s\S]*connection: close/i);
  await closed;
});

test("a connection without a request, as browsers open them ahead, does not keep a process from ending", async () => {
  const app = await startTestApp();
  const { hostname, port } = new URL(app.baseUrl);
  const socket = connect(Number(port), hostname);
  const received = text(socket);
  await expect.poll(() => count(app)).toBe(1);
  await app.close();
  // Node.js would answer 408 after a minute.
  expect(await received.catch(() => "")).toBe("");
});

const count = ({ app }: TestApp) =>
  new Promise<number>((done, fail) =>
    app.server.getConnections((problem, connections) => (problem ? fail(problem) : done(connections))),
  );
