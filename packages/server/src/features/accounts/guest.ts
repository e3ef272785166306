import { randomUUID } from "node:crypto";
import { scopes } from "@tintype/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guest } from "../../http/caller.ts";
import { networkKey } from "../../platform/network.ts";

const guestCookie = "tintype_guest";
const lifeSeconds = 400 * 86_400; // the longest that browsers keep a cookie

const guestScopes = scopes.filter((scope) => scope !== "account");

/** The guest of a signed cookie. Without one, or if it was tampered with: a new guest, whose cookie is set. */
export function guestOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { networksKey, secure }: { networksKey: string; secure: boolean },
): Guest {
  const kept = readCookie(request);
  const id = kept?.id ?? randomUUID();
  // `renew`: signed with the previous key.
  if (!kept || kept.renew)
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
    network: networkKey(request.ip, networksKey),
  };
}

/** The guest of a request's cookie, if its signature is valid. */
export function guestKeyOf(request: FastifyRequest): string | undefined {
  const kept = readCookie(request);
  return kept && holderOfGuest(kept.id);
}

function readCookie(request: FastifyRequest): { id: string; renew: boolean } | undefined {
  const sent = request.cookies[guestCookie];
  const kept = sent === undefined ? undefined : request.unsignCookie(sent);
  return kept?.valid && kept.value ? { id: kept.value, renew: kept.renew } : undefined;
}

const holderOfGuest = (id: string): string => `guest:${id}`;
