import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

type HeldStream = {
  url: string;
  /** Ends all open streams. From then on, every stream ends after its event. */
  breakOff(): void;
  close(): void;
};

/**
 * A server that responds to each request with one event and keeps the stream open. `route.fulfill` ends its response at
 * once, which a page treats as a broken connection.
 */
export async function holdStream(event: { type: string; [fact: string]: unknown }): Promise<HeldStream> {
  const open = new Set<ServerResponse>();
  let isBroken = false;
  const server = createServer((_, res) => {
    open.add(res);
    res.once("close", () => open.delete(res));
    res.writeHead(200, { "content-type": "text/event-stream" });
    res.write(`id: 1\nevent: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`);
    if (isBroken) res.end();
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://127.0.0.1:${port}/`,
    breakOff() {
      isBroken = true;
      for (const res of open) res.end();
    },
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}
