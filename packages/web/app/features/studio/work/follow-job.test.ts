import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { type JobEvent, type JobFile, text } from "@tintype/contract";
import { createApi } from "@tintype/contract/api";
import { afterEach, expect, test } from "vitest";
import { limitConcurrency } from "../../../lib/limit-concurrency.ts";
import type { PictureEvent, RunEvent } from "../state/studio-event.ts";
import { idOf, job, jobFile } from "../testing/pictures.ts";
import { followJob } from "./follow-job.ts";

type Heard = RunEvent | Extract<PictureEvent, { type: "outcome-changed" }>;
type Answer = (req: IncomingMessage, res: ServerResponse) => void;
const closers: Array<() => void> = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

/** Follows a job on a server that answers by path, and collects what the client dispatched. */
async function follow(
  answer: Answer,
  isLeaving: (event: Heard) => boolean = () => false,
  now = () => performance.now(),
) {
  const server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  closers.push(
    () => server.closeAllConnections(),
    () => server.close(),
  );
  const { port } = server.address() as AddressInfo; // a TCP server has an AddressInfo
  const heard: Heard[] = [];
  const api = createApi({ base: `http://127.0.0.1:${port}/api`, token: async () => "a-token" });
  const abort = new AbortController();
  const dispatch = (event: Heard) => {
    heard.push(event);
    if (isLeaving(event)) abort.abort();
  };
  const ids = [idOf("a"), idOf("b")];
  const end = followJob({
    api,
    batch: 1,
    jobId: "job-1",
    limitDownloads: limitConcurrency(3),
    ids,
    keys: new Map(),
    dispatch,
    signal: abort.signal,
    now,
  });
  return { end, heard };
}

const facts = { format: "png", width: 4, height: 3, size_bytes: 3, name: "a.png" } as const;
const done = (index: number) => jobFile(index, { state: "done", progress: 1, result: facts });
const send = (res: ServerResponse, id: number, event: JobEvent) =>
  res.write(`id: ${id}\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
const kinds = (heard: readonly Heard[]) =>
  heard.map((event) => (event.type === "link-changed" ? event.link : event.type));
const problem = (res: ServerResponse, status: number, code: string, detail: string) =>
  res
    .writeHead(status, { "content-type": "application/problem+json" })
    .end(JSON.stringify({ type: `/api/docs#error-${code}`, title: code, status, detail }));

test("a broken stream goes on after the last event heard, and each result is brought over once", async () => {
  const lastIds: unknown[] = [];
  let fetches = 0;
  const { end, heard } = await follow((req, res) => {
    expect(req.headers.authorization).toBe("Bearer a-token");
    if (req.url?.endsWith("/files/0")) {
      fetches += 1;
      res.end("abc");
      return;
    }
    lastIds.push(req.headers["last-event-id"]);
    res.writeHead(200, { "content-type": "text/event-stream" });
    if (lastIds.length === 1) {
      send(res, 7, { type: "snapshot", job: job([done(0), jobFile(1)]) });
      res.end();
      return;
    }
    send(res, 8, { type: "file", file: jobFile(1, { state: "failed", reason: "Damaged." }) });
    send(res, 9, { type: "file", file: done(0) });
    send(res, 10, { type: "job", state: "done" });
    res.end();
  });
  await end;
  expect(lastIds).toEqual([undefined, "7"]);
  expect(fetches).toBe(1);
  expect(kinds(heard).filter((kind) => kind !== "job-event-received" && kind !== "result-arrived")).toEqual([
    "live",
    "reconnecting",
    "live",
  ]);
  const arrived = heard.find((event) => event.type === "result-arrived");
  expect(arrived).toMatchObject({
    id: "a",
    result: { name: "a.png", sizeBytes: 3, sides: { widthPx: 4, heightPx: 3 } },
  });
});

test("an unchanged file is brought over only if its result has another name", async () => {
  const asked: string[] = [];
  const unchanged: Partial<JobFile> = { state: "unchanged", progress: 1, reason: text.sameFormat };
  const { end, heard } = await follow((req, res) => {
    if (req.url?.includes("/files/")) {
      asked.push(req.url);
      return void res.end("abc");
    }
    res.writeHead(200, { "content-type": "text/event-stream" });
    const files = [
      jobFile(0, { ...unchanged, name: "a.jpg", result: facts }),
      jobFile(1, { ...unchanged, name: "b.png", result: { ...facts, name: "b.png" } }),
    ];
    send(res, 1, { type: "snapshot", job: job(files, { state: "done" }) });
    res.end();
  });
  await end;
  expect(asked).toEqual(["/api/jobs/job-1/files/0"]);
  expect(heard.at(-1)).toMatchObject({ type: "result-arrived", id: "a", result: { name: "a.png" } });
});

test("a stream that says it has nothing more, before its last event came, is followed by the job as it is", async () => {
  let opened = 0;
  const { end, heard } = await follow((req, res) => {
    if (req.url?.includes("/files/")) return void res.end("abc");
    if (!req.url?.endsWith("/events"))
      return void res
        .writeHead(200, { "content-type": "application/json" })
        .end(JSON.stringify(job([done(0), done(1)], { state: "done" })));
    opened += 1;
    if (opened > 1) return void res.writeHead(204).end();
    res.writeHead(200, { "content-type": "text/event-stream" });
    send(res, 7, { type: "snapshot", job: job([jobFile(0), jobFile(1)]) });
    send(res, 7, { type: "file", file: done(0) });
    res.end();
  });
  await end;
  expect(heard.filter(({ type }) => type === "result-arrived")).toHaveLength(2);
});

test("a connection that breaks at each attempt is one interruption; one that held and then breaks is another", async () => {
  let nowMs = 0;
  let opened = 0;
  const { end, heard } = await follow(
    (_, res) => {
      opened += 1;
      res.writeHead(200, { "content-type": "text/event-stream" });
      send(res, opened, { type: "snapshot", job: job([jobFile(0)], opened === 4 ? { state: "done" } : {}) });
      res.end();
    },
    ({ type }) => {
      if (type === "job-event-received" && opened === 3) nowMs += 10_000; // this connection lasted
      return false;
    },
    () => nowMs,
  );
  await end;
  const breaks = heard.flatMap((event) =>
    event.type === "link-changed" && event.link !== "live" ? [event.isNews] : [],
  );
  expect(breaks).toEqual([true, false, true]);
});

test("a result whose time ran out is that picture's failure, not the batch's", async () => {
  const { end, heard } = await follow((req, res) => {
    if (req.url?.includes("/files/")) return problem(res, 410, "gone", "It has run out.");
    res.writeHead(200, { "content-type": "text/event-stream" });
    send(res, 1, { type: "snapshot", job: job([done(0)], { state: "done" }) });
    res.end();
  });
  await end;
  expect(heard.at(-1)).toEqual({ type: "result-lost", batch: 1, id: "a", reason: "It has run out.", code: "gone" });
});

test("a job that is not there any more ends the following with the server's word", async () => {
  const { end } = await follow((_, res) => problem(res, 404, "not-found", "There is nothing at this address."));
  await expect(end).rejects.toMatchObject({ name: "ApiProblem", status: 404, code: "not-found" });
});

test("leaving stops at once and quietly", async () => {
  const { end, heard } = await follow(
    (_, res) => {
      res.writeHead(200, { "content-type": "text/event-stream" });
      send(res, 1, { type: "snapshot", job: job([jobFile(0)]) });
    },
    ({ type }) => type === "job-event-received",
  );
  await expect(end).rejects.toMatchObject({ name: "AbortError" });
  expect(kinds(heard)).toEqual(["live", "job-event-received"]);
});

const flagged: Partial<JobFile> = { incomplete: true, candidates: { count: 2, shown: 1, confidences: [0.9, 0.8] } };

test("a flagged result is held: its thumbnails come over, and the result itself does not", async () => {
  const asked: string[] = [];
  const { end, heard } = await follow((req, res) => {
    asked.push(req.url?.replace("/api/jobs/job-1", "") ?? "");
    if (req.url?.endsWith("/candidates")) return void res.end("thumbnails");
    res.writeHead(200, { "content-type": "text/event-stream" });
    const files = [{ ...done(0), ...flagged }];
    send(res, 1, { type: "snapshot", job: job(files, { state: "done", expires_at: "2026-01-01T00:14:00Z" }) });
    res.end();
  });
  await end;
  expect(asked).toEqual(["/events", "/files/0/candidates"]);
  expect(heard.at(-1)).toMatchObject({
    type: "outcome-changed",
    id: "a",
    outcome: {
      kind: "held",
      isIncomplete: true,
      candidates: [0.9, 0.8],
      held: { job: { id: "job-1", index: 0 }, name: "a.png", keepAtMs: Date.parse("2026-01-01T00:12:00Z") },
    },
  });
});

test("a flagged result whose thumbnails cannot be had is brought over as any other", async () => {
  const { end, heard } = await follow((req, res) => {
    if (req.url?.endsWith("/candidates")) return problem(res, 410, "gone", "It is deleted.");
    if (req.url?.endsWith("/files/0")) return void res.end("abc");
    res.writeHead(200, { "content-type": "text/event-stream" });
    send(res, 1, { type: "snapshot", job: job([{ ...done(0), ...flagged }], { state: "done" }) });
    res.end();
  });
  await end;
  expect(kinds(heard).at(-1)).toBe("result-arrived");
});
