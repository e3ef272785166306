/** Scopes that can be granted to a key. `keys:revoke` revokes keys. No scope lets a key create one. */
export const keyScopes = [
  "process",
  "jobs:read",
  "usage:read",
  "recipes:write",
  "webhooks:read",
  "webhooks:write",
  "keys:read",
  "keys:revoke",
] as const;
export type KeyScope = (typeof keyScopes)[number];

/**
 * A caller's permissions. A session has all of them, and a guest all but `account`. A key has those it was created with,
 * and never `account`, which covers paying, deleting and creating keys.
 */
export const scopes = [...keyScopes, "account"] as const;
/** Scope of the operator's desk. Only keys that an operator created at the desk have it, and only sessions of current operators. */
export const deskScope = "admin";
export type Scope = (typeof scopes)[number] | typeof deskScope;
/** Scopes that a key can have. */
export const heldScopes = [...keyScopes, deskScope] as const;
export type HeldScope = (typeof heldScopes)[number];
