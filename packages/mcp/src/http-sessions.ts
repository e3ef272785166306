import { randomUUID } from "node:crypto";
import {
  createMcpHandler,
  isInitializeRequest,
  type McpHttpHandler,
  type McpServerFactory,
  WebStandardStreamableHTTPServerTransport,
} from "@modelcontextprotocol/server";

/** Opens the servers of one session: each call starts a new credit cap. */
export type OpenFactory = () => McpServerFactory;

export type Sessions = Pick<McpHttpHandler, "fetch" | "close">;

/** Hosts may never close their sessions: above this number, the least recently used one is closed. */
const maxSessions = 64;
/** Size limit of an `initialize` that starts a session; real ones are a few hundred bytes. */
const maxStartBytes = 1_000_000;

/**
 * Sessions of streamable HTTP: each has its own server and its own credit cap. Requests without a session (protocol
 * revision 2026-07-28 has none) share one cap.
 */
export function createSessions(open: OpenFactory): Sessions {
  const withoutSession = createMcpHandler(open());
  const transports = new Map<string, WebStandardStreamableHTTPServerTransport>();

  const begin = async (request: Request): Promise<Response> => {
    const transport = new WebStandardStreamableHTTPServerTransport({
      sessionIdGenerator: () => randomUUID(),
      onsessioninitialized: (id) => {
        transports.set(id, transport);
      },
      onsessionclosed: (id) => {
        transports.delete(id);
      },
    });
    const server = await open()({ era: "legacy", requestInfo: request });
    await server.connect(transport);
    const [quietest] = transports;
    if (quietest && transports.size >= maxSessions) {
      transports.delete(quietest[0]);
      await quietest[1].close();
    }
    return transport.handleRequest(request);
  };

  return {
    async fetch(request, options) {
      const id = request.headers.get("mcp-session-id");
      if (id === null) return (await beginsSession(request)) ? begin(request) : withoutSession.fetch(request, options);
      const transport = transports.get(id);
      if (!transport) return refuseSession();
      // Keeps the map in order of last use.
      transports.delete(id);
      transports.set(id, transport);
      return transport.handleRequest(request);
    },
    async close() {
      await withoutSession.close();
      for (const transport of transports.values()) await transport.close();
      transports.clear();
    },
  };
}

async function beginsSession(request: Request): Promise<boolean> {
  const sizeBytes = Number(request.headers.get("content-length") ?? Number.NaN);
  if (request.method !== "POST" || !(sizeBytes <= maxStartBytes)) return false;
  const body: unknown = await request
    .clone()
    .json()
    .catch(() => undefined); // the handler reports invalid JSON
  return isInitializeRequest(body);
}

/** By the protocol, a host starts a new session on 404. */
const refuseSession = (): Response =>
  Response.json(
    { jsonrpc: "2.0", id: null, error: { code: -32_001, message: "This session has ended. Please begin a new one." } },
    { status: 404 },
  );
