/**
 * What a caller may do. A session may do all of it, a guest all but `account`; a key what it was made for, and never
 * `account`: paying, deleting, keys.
 */
export const scopes = ["process", "jobs:read", "usage:read", "account"] as const;
export type Scope = (typeof scopes)[number];
export const keyScopes = ["process", "jobs:read", "usage:read"] as const satisfies readonly Scope[];
export type KeyScope = (typeof keyScopes)[number];
