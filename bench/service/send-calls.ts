import { readFileSync } from "node:fs";
import { join } from "node:path";
import autocannon from "autocannon";
import { limits } from "../../packages/contract/src/index.ts";
import type { TestIssuer } from "../../packages/server/src/testing/issuer.ts";
import type { Case } from "./cases.ts";

const boundary = "----tintypebench";

const formOf = ({ file, fields }: Case, folder: string) =>
  Buffer.concat([
    ...Object.entries(fields).map(([name, value]) =>
      Buffer.from(`--${boundary}\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`),
    ),
    Buffer.from(
      `--${boundary}\r\nContent-Disposition: form-data; name="files"; filename="${file}"\r\nContent-Type: image/jpeg\r\n\r\n`,
    ),
    readFileSync(join(folder, file)),
    Buffer.from(`\r\n--${boundary}--\r\n`),
  ]);

/** Calls a case's operation, by people who have a hundred credits each: a new one every hundred calls. */
export async function createCalls({ issuer, folder }: { issuer: TestIssuer; folder: string }) {
  const tokens = await Promise.all(Array.from({ length: 400 }, (_, i) => issuer.token(`caller-${i}`)));
  let calls = 0;
  const nextToken = () => `Bearer ${tokens[Math.floor(calls++ / limits.hobby.credits) % tokens.length]}`;
  const method = "POST";
  const headers = { "content-type": `multipart/form-data; boundary=${boundary}` };
  const urlOf = (base: string, { task }: Case) => `${base}/api/${task}/`;
  return {
    send: (base: string, one: Case, amounts: Pick<Sent, "amount" | "connections">) =>
      send(urlOf(base, one), {
        ...{ ...amounts, method, headers, body: formOf(one, folder) },
        setupRequest: (request) => ({ ...request, headers: { ...request.headers, authorization: nextToken() } }),
      }),
    async sendOne(base: string, one: Case): Promise<void> {
      const sent = { method, headers: { ...headers, authorization: nextToken() }, body: formOf(one, folder) };
      const answer = await fetch(urlOf(base, one), sent);
      if (!answer.ok) throw new Error(`${base} answered ${answer.status}`);
      await answer.arrayBuffer();
    },
  };
}

type Sent = Partial<autocannon.Request> & { amount: number; connections: number };

/**
 * Sends a fixed number of requests, and returns how many a second were answered: with a fixed duration, those in flight at
 * its end would not count.
 */
export async function send(url: string, { amount, connections, ...request }: Sent): Promise<number> {
  const begin = performance.now();
  let end = begin;
  const result = await autocannon({
    ...{ url, connections, amount, timeout: 60, requests: [request] },
    // It checks its clock once a second: its duration is up to a second too long.
    setupClient: (client) =>
      client.on("response", () => {
        end = performance.now();
      }),
  });
  if (result.non2xx > 0 || result.errors > 0)
    throw new Error(`${url}: ${result.non2xx} refusals, ${result.errors} errors`);
  return amount / ((end - begin) / 1000);
}
