import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * Systems assign outgoing connections ports from 32768 up: a lower one stays free until the caller listens. Browsers
 * refuse some ports below 12000.
 */
const [lowest, end] = [12_000, 32_768];

/** A port of 127.0.0.1 on which nothing listens. */
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
