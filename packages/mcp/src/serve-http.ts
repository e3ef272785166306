import { createHash, timingSafeEqual } from "node:crypto";
import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { hostHeaderValidation, originValidation, toNodeHandler } from "@modelcontextprotocol/node";
import type { HttpConfig } from "./config.ts";
import { createSessions, type OpenFactory } from "./http-sessions.ts";

export type HttpServer = { url: string; close(): Promise<void> };

const loopback = ["localhost", "127.0.0.1", "[::1]"];
const path = "/mcp";

/**
 * Streamable HTTP. Attacks: DNS rebinding by a page in the user's browser (detected by its Host or Origin), and other
 * users of the machine (they lack the token).
 */
export async function serveHttp(open: OpenFactory, { host, port, token, hosts }: HttpConfig): Promise<HttpServer> {
  const names = [...loopback, ...hosts];
  const isKnownHost = hostHeaderValidation(names);
  const isKnownOrigin = originValidation(names);
  const sessions = createSessions(open);
  const handle = toNodeHandler(sessions);
  const server = createServer((request, response) => {
    if (!isKnownHost(request, response) || !isKnownOrigin(request, response)) return;
    if (!isBearer(request, token)) return refuse(response, 401, { "www-authenticate": 'Bearer realm="tintype-mcp"' });
    if (request.url?.split("?", 1)[0] !== path) return refuse(response, 404);
    // A server's request has both; Node.js uses the same type for responses.
    handle(request as IncomingMessage & { method: string; url: string }, response).catch(() => response.destroy());
  });
  server.listen(port, host);
  await once(server, "listening");
  const { port: chosen } = server.address() as AddressInfo; // a TCP server has one
  return {
    url: `http://${host.includes(":") ? `[${host}]` : host}:${chosen}${path}`,
    async close() {
      await sessions.close();
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Compares digests, so that the timing reveals nothing about the token. */
function isBearer({ headers }: IncomingMessage, token: string): boolean {
  const sent = /^Bearer +(.+)$/i.exec(headers.authorization ?? "")?.[1] ?? "";
  const digest = (text: string) => createHash("sha256").update(text).digest();
  return timingSafeEqual(digest(sent), digest(token));
}

function refuse(response: ServerResponse, status: number, headers: Record<string, string> = {}): void {
  response.writeHead(status, headers).end();
}
