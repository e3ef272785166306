import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export type Outage = {
  /** The port to use instead of the server's own. */
  port: number;
  /** Closes every connection and refuses new ones, like a crashed server. */
  cut(): void;
  /** Keeps every connection but forwards nothing, like a hanging machine. */
  stall(): void;
  /** Restores the connection. */
  mend(): void;
  close(): Promise<void>;
};

/** A TCP proxy in front of a local server, with which a test can simulate outages. */
export async function proxyTo(target: { port: number; host?: string }): Promise<Outage> {
  const sockets = new Set<Socket>();
  let state: "open" | "cut" | "stalled" = "open";
  const keep = (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => socket.destroy());
    socket.once("close", () => sockets.delete(socket));
    if (state === "stalled") socket.pause();
    return socket;
  };
  const server = createServer((client) => {
    if (state === "cut") return void client.resetAndDestroy();
    keep(client);
    const upstream = keep(connect({ port: target.port, host: target.host ?? "127.0.0.1" }));
    for (const [from, to] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      // Manually: the pipe of a piped socket would undo pause().
      from.on("data", (bytes) => {
        if (!to.write(bytes)) from.pause();
      });
      to.on("drain", () => {
        if (state !== "stalled") from.resume();
      });
      from.once("end", () => to.end());
      from.once("close", () => to.destroy());
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const cut = () => {
    state = "cut";
    for (const socket of sockets) socket.resetAndDestroy();
  };
  return {
    port: (server.address() as AddressInfo).port, // a TCP server has one
    cut,
    stall() {
      state = "stalled";
      for (const socket of sockets) socket.pause();
    },
    mend() {
      state = "open";
      for (const socket of sockets) socket.resume();
    },
    async close() {
      cut();
      server.close();
      await once(server, "close");
    },
  };
}
