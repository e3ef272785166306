// The service, in a process that kills itself before the Nth step after a request whose header says so: each query,
// and each time it touches the disk on the request's behalf, is a step; what timers do is none. Started by mortal-service.ts;
// prints its address when it listens.
import { AsyncLocalStorage } from "node:async_hooks";
import fs from "node:fs/promises";
import { syncBuiltinESMExports } from "node:module";
import type { AddressInfo } from "node:net";
import pg from "pg";
import { compose } from "../composition/compose.ts";
import { readConfig } from "../config.ts";
import { createLog } from "../platform/log.ts";

const request = new AsyncLocalStorage<{ stepsLeft: number }>();
const step = () => {
  const doomed = request.getStore();
  if (doomed && --doomed.stepsLeft === 0) process.kill(process.pid, "SIGKILL");
};

const query = pg.Client.prototype.query;
pg.Client.prototype.query = function (this: pg.Client, ...rest: unknown[]) {
  step();
  return Reflect.apply(query, this, rest);
} as typeof query; // the same function with a count before it
for (const name of ["rm", "mkdir"] as const) {
  const original = fs[name] as (...rest: unknown[]) => Promise<unknown>; // called with what it was called with
  Object.assign(fs, {
    [name]: (...rest: unknown[]) => {
      step();
      return original(...rest);
    },
  });
}
syncBuiltinESMExports();

const config = readConfig(process.env);
const service = await compose({ config, logger: createLog("silent") });
service.app.addHook("onRequest", (incoming, _reply, done) => {
  const wish = incoming.headers["x-die-at-step"];
  if (wish === undefined) done();
  else request.run({ stepsLeft: Number(wish) }, done);
});
await service.app.listen({ port: 0, host: "127.0.0.1" });
const { port } = service.app.server.address() as AddressInfo; // a TCP server has one
process.stdout.write(`http://127.0.0.1:${port}\n`);
