import { once } from "node:events";
import { createServer, type IncomingMessage, request, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

/** A fault of the network or of a proxy. Without one the call is forwarded. */
export type Fault =
  /** The server's full response arrives, and the connection breaks before any of it is forwarded. */
  | { kind: "lose-answer" }
  /** The first bytes of the response are forwarded, then the connection breaks. */
  | { kind: "cut-after-first-chunk" }
  /** The proxy responds instead of the server. */
  | { kind: "answer"; status: number; headers?: Record<string, string>; body?: string }
  /** No response at all. */
  | { kind: "silence" };

export type Call = { method: string; path: string; headers: IncomingMessage["headers"]; at: number };

export type Front = {
  origin: string;
  /** Received calls. */
  calls: Call[];
  /** Chooses the fault of each call. `times` counts calls with the same method and path, from 1. */
  onCall: (call: Call, times: number) => Fault | undefined;
  close(): Promise<void>;
};

/** A proxy in front of a real server that simulates network faults. */
export async function startFront(origin: string): Promise<Front> {
  const server = createServer((incoming, answer) => {
    const { method = "", url: path = "", headers } = incoming;
    const call = { method, path, headers, at: performance.now() };
    front.calls.push(call);
    const times = front.calls.filter((one) => one.method === method && one.path === path).length;
    pass(front.onCall(call, times), { incoming, answer, origin });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const front: Front = {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, // a TCP server has one
    calls: [],
    onCall: () => undefined,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  return front;
}

type Passing = { incoming: IncomingMessage; answer: ServerResponse; origin: string };

function pass(fault: Fault | undefined, { incoming, answer, origin }: Passing): void {
  if (fault?.kind === "silence") return void incoming.resume();
  if (fault?.kind === "answer") {
    incoming.resume();
    incoming.once("end", () => answer.writeHead(fault.status, fault.headers).end(fault.body));
    return;
  }
  const { method, url, headers } = incoming;
  const upstream = request(new URL(url ?? "/", origin), { method, headers });
  upstream.once("error", () => answer.destroy());
  answer.once("close", () => upstream.destroy());
  incoming.pipe(upstream);
  upstream.once("response", (came) => {
    came.on("error", () => answer.destroy());
    if (fault?.kind === "lose-answer") {
      came.resume();
      came.once("end", () => incoming.socket.destroy());
      return;
    }
    answer.writeHead(came.statusCode ?? 500, came.headers);
    if (!fault) return void came.pipe(answer);
    came.once("data", (bytes: Buffer) => {
      came.pause();
      answer.write(bytes, () => setTimeout(() => incoming.socket.destroy(), 20));
    });
  });
}
