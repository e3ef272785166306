import { type AddressInfo, createServer } from "node:net";

/** A port of 127.0.0.1 that nothing listens on. */
export const freePort = () =>
  new Promise<number>((done, fail) => {
    const probe = createServer()
      .on("error", fail)
      .listen(0, "127.0.0.1", () => {
        const { port } = probe.address() as AddressInfo; // a TCP server has one
        probe.close(() => done(port));
      });
  });
