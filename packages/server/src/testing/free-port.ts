import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Systems assign outgoing connections ports from 32768 up: a lower one stays free until the caller listens. Browsers
 * refuse some ports below 12000.
 */
const [lowest, end] = [12_000, 32_768];
/** Each of so many test processes has ports of its own: until a caller listens, no probe sees that its port is given away. */
const shares = 16;
const ownShare = Number(process.env["VITEST_POOL_ID"] ?? process.pid) % shares;
const given = new Set<number>();

/** A port of 127.0.0.1 on which nothing listens, and which no other caller was given. */
export async function freePort(): Promise<number> {
  const port = lowest + randomInt((end - lowest) / shares) * shares + ownShare;
  if (given.has(port)) return freePort();
  given.add(port);
  return (await isFree(port)) ? port : freePort();
}

const isFree = (port: number) =>
  new Promise<boolean>((done, fail) => {
    const probe = createServer()
      .on("error", (problem: NodeJS.ErrnoException) => (problem.code === "EADDRINUSE" ? done(false) : fail(problem)))
      .listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });
