/** Scopes that a key can be made for. `keys:revoke` ends keys: no scope lets a key make one. */
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
 * A caller's permissions. A session has all of them, a guest all but `account`; a key those it was made for, and never
 * `account`: paying, deleting, making keys.
 */
export const scopes = [...keyScopes, "account"] as const;
/** Of the operator's desk. No key has it but one that an operator made at the desk, and a session only while it is an operator's. */
export const deskScope = "admin";
export type Scope = (typeof scopes)[number] | typeof deskScope;
/** Scopes that a key can have. */
export const heldScopes = [...keyScopes, deskScope] as const;
export type HeldScope = (typeof heldScopes)[number];
