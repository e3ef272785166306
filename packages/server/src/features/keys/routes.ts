import { endpoints } from "@tintype/contract/schemas";
import type { Mount } from "../../http/endpoint.ts";
import { type KeyDependencies, listApiKeys, makeApiKey, revokeApiKey, rotateApiKey } from "./keys.ts";

/** The caller's API keys. They require the scope `account`, which no key has: a key cannot create or revoke keys. */
export function mountKeys(mount: Mount, use: KeyDependencies): void {
  mount(endpoints.createKey, ({ caller, body: { name, scopes, mode, expires_at } }) =>
    makeApiKey(use, caller.accountId, {
      name,
      scopes,
      mode,
      expiresAt: expires_at === null ? null : new Date(expires_at),
    }),
  );
  mount(endpoints.listKeys, async ({ caller }) => ({ keys: await listApiKeys(use, caller.accountId) }));
  mount(endpoints.rotateKey, ({ caller, params, body }) =>
    rotateApiKey(use, caller.accountId, { id: params.id, overlapHours: body.overlap_hours }),
  );
  mount(endpoints.deleteKey, ({ caller, params }) => revokeApiKey(use, caller.accountId, params.id));
}
