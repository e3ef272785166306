import { limits, type PublicConfig } from "@tintype/contract";
import { endpoints } from "@tintype/contract/schemas";
import type { FastifyRequest } from "fastify";
import type { Caller } from "../../http/caller.ts";
import type { Mount } from "../../http/endpoint.ts";

import type { Admission } from "./admission.ts";
import { type OpenInvitation, setUp } from "./invitations.ts";

export type PublicSettings = Pick<
  PublicConfig,
  "mode" | "version" | "identity" | "payments" | "url_input" | "webhooks"
> & { access: Admission };

/** `GET /config`. Usage is passed as a function, because credits depend on accounts. */
export function mountConfig(
  mount: Mount,
  {
    settings,
    usageOf,
    invitationOf,
  }: {
    settings: PublicSettings;
    usageOf(caller: Caller): Promise<{ used: number; limit: number | null }>;
    /** The open invitation whose link the caller's browser has opened. */
    invitationOf(request: FastifyRequest): Promise<OpenInvitation | undefined>;
  },
): void {
  mount(endpoints.config, async ({ caller, request }) => {
    const { used, limit } = await usageOf(caller);
    const invitation = await invitationOf(request);
    const own = limits[caller.tier];
    const { credits } = own;
    // Guests who cannot use the service have none, whatever the rest has.
    const isRefused = caller.kind === "guest" && !settings.access.guests;
    return {
      ...settings,
      access: {
        ...settings.access,
        invitation: invitation ? { email: invitation.email, is_set_up: invitation.createdBy === setUp } : null,
      },
      tier: caller.tier,
      limits: { ...own, credits: limit === null ? null : credits },
      usage: { used, limit: isRefused ? 0 : limit },
    };
  });
}
