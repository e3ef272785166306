import { endpoints } from "@tintype/contract/schemas";
import type { Mount } from "../../http/endpoint.ts";
import { type KeyDependencies, listApiKeys, makeApiKey, revokeApiKey, rotateApiKey } from "./keys.ts";

/** The caller's API keys. They require the scope `account`, which no key has: a key cannot create or revoke keys. */
export function mountKeys(mount: Mount, dependencies: KeyDependencies): void {
  mount(endpoints.createKey, ({ caller, body: { name, scopes, mode, expires_at, daily_files } }) =>
    makeApiKey(dependencies, caller.accountId, {
      name,
      scopes,
      mode,
      expiresAt: expires_at === null ? null : new Date(expires_at),
      dailyFiles: daily_files,
    }),
  );
  mount(endpoints.listKeys, async ({ caller }) => ({ keys: await listApiKeys(dependencies, caller.accountId) }));
  mount(endpoints.rotateKey, ({ caller, params, body }) =>
    rotateApiKey(dependencies, caller.accountId, { id: params.id, overlapHours: body.overlap_hours }),
  );
  mount(endpoints.deleteKey, ({ caller, params }) => revokeApiKey(dependencies, caller.accountId, params.id));
}
