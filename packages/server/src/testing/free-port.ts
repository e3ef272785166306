import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Systems give outgoing connections ports from 32768 on: a lower one stays free until the caller listens. Below 12000
 * are ports that browsers refuse.
 */
const [lowest, end] = [12_000, 32_768];

/** A port of 127.0.0.1 that nothing listens on. */
export async function freePort(): Promise<number> {
  const port = randomInt(lowest, end);
  return (await isFree(port)) ? port : freePort();
}

const isFree = (port: number) =>
  new Promise<boolean>((done, fail) => {
    const probe = createServer()
      .on("error", (problem: NodeJS.ErrnoException) => (problem.code === "EADDRINUSE" ? done(false) : fail(problem)))
      .listen(port, "127.0.0.1", () => probe.close(() => done(true)));
  });
