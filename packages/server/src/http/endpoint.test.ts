import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { setTimeout as wait } from "node:timers/promises";
import { endpoints } from "@tintype/contract/schemas";
import Fastify from "fastify";
import { afterAll, expect, test } from "vitest";
import type { Authenticate } from "./caller.ts";
import { createMount } from "./endpoint.ts";

const said: string[] = [];
const app = Fastify({ logger: { level: "warn", stream: { write: (line: string) => void said.push(line) } } });
const anybody: Authenticate = async () => undefined as never; // the rows below are asked without looking at the caller
const mount = createMount(app, anybody);
afterAll(() => app.close());

test("a handler that is done while its stream still goes out is not answered for again", async () => {
  mount(endpoints.jobFile, async ({ reply }) => {
    const slowly = Readable.from(
      (async function* () {
        yield "the first ";
        await wait(100);
        yield "and the last";
      })(),
    );
    void reply.send(slowly);
    while (!reply.raw.headersSent) await wait(5);
    return undefined;
  });
  await app.listen({ port: 0, host: "127.0.0.1" });
  const { port } = app.server.address() as AddressInfo; // a TCP server has one
  const answer = await fetch(`http://127.0.0.1:${port}/api/jobs/job_1/files/0`);
  expect(answer.status).toBe(200);
  expect(await answer.text()).toBe("the first and the last");
  expect(said).toEqual([]);
});
