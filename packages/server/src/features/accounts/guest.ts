import { randomUUID } from "node:crypto";
import { scopes } from "@tintype/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guest } from "../../http/caller.ts";
import { networkKey } from "./network.ts";

const guestCookie = "tintype_guest";
const lifeSeconds = 400 * 86_400; // the longest that browsers keep a cookie

const guestScopes = scopes.filter((scope) => scope !== "account");

/** The guest a signed cookie names; without one, or with one that was tampered with, a new guest and their cookie. */
export function guestOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { secret, secure }: { secret: string; secure: boolean },
): Guest {
  const kept = guestId(request);
  const id = kept ?? randomUUID();
  if (id !== kept)
    reply.setCookie(guestCookie, id, {
      signed: true,
      httpOnly: true,
      sameSite: "lax",
      path: "/",
      maxAge: lifeSeconds,
      secure,
    });
  return {
    kind: "guest",
    tier: "guest",
    key: holderOfGuest(id),
    by: "cookie",
    scopes: guestScopes,
    mode: "live",
    network: networkKey(request.ip, secret),
  };
}

/** The guest that a request's cookie names, if its signature holds. */
export function guestKeyOf(request: FastifyRequest): string | undefined {
  const id = guestId(request);
  return id === undefined ? undefined : holderOfGuest(id);
}

function guestId(request: FastifyRequest): string | undefined {
  const sent = request.cookies[guestCookie];
  const kept = sent === undefined ? undefined : request.unsignCookie(sent);
  return kept?.valid && kept.value ? kept.value : undefined;
}

const holderOfGuest = (id: string): string => `guest:${id}`;
