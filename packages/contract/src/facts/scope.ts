/**
 * A caller's permissions. A session has all of them, a guest all but `account`; a key those it was made for, and never
 * `account`: paying, deleting, keys.
 */
export const scopes = ["process", "jobs:read", "usage:read", "account"] as const;
export type Scope = (typeof scopes)[number];
export const keyScopes = ["process", "jobs:read", "usage:read"] as const satisfies readonly Scope[];
export type KeyScope = (typeof keyScopes)[number];
