import { randomUUID } from "node:crypto";
import { scopes } from "@tintype/contract";
import type { FastifyReply, FastifyRequest } from "fastify";
import type { Guest } from "../../http/caller.ts";
import { networkKey } from "../../platform/network.ts";

const plainCookie = "tintype_guest";
/** RFC 6265bis, 4.1.3.2: no other host of the site, and no plain http, can set or replace it. */
const guestCookieOf = (secure: boolean): string => (secure ? `__Host-${plainCookie}` : plainCookie);
const lifeSeconds = 400 * 86_400; // the longest that browsers keep a cookie

const guestScopes = scopes.filter((scope) => scope !== "account");

/** The guest of a signed cookie. Without one, or if it was tampered with: a new guest, whose cookie is set. */
export function guestOf(
  request: FastifyRequest,
  reply: FastifyReply,
  { networksKey, secure }: { networksKey: string; secure: boolean },
): Guest {
  const kept = readCookie(request, secure);
  const id = kept?.id ?? randomUUID();
  if (kept?.isOld) reply.clearCookie(plainCookie, { path: "/" });
  // `renew`: signed with the previous key.
  if (!kept || kept.renew || kept.isOld)
    reply.setCookie(guestCookieOf(secure), id, {
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
export function guestKeyOf(request: FastifyRequest, { secure }: { secure: boolean }): string | undefined {
  const kept = readCookie(request, secure);
  return kept && holderOfGuest(kept.id);
}

/** `isOld`: under the name without a prefix, which https servers gave before they had one. */
type KeptGuest = { id: string; renew: boolean; isOld: boolean };

function readCookie(request: FastifyRequest, secure: boolean): KeptGuest | undefined {
  for (const name of new Set([guestCookieOf(secure), plainCookie])) {
    const sent = request.cookies[name];
    const kept = sent === undefined ? undefined : request.unsignCookie(sent);
    if (kept?.valid && kept.value) return { id: kept.value, renew: kept.renew, isOld: secure && name === plainCookie };
  }
  return undefined;
}

const holderOfGuest = (id: string): string => `guest:${id}`;
