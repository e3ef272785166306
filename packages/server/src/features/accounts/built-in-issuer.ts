/** The issuer and the audience of the built-in provider's tokens. */
export const builtInIssuer = (origin: string): string => `${origin}/idp`;
export const builtInAudience = "tintype";

/** Only the server sets it, from the connection or a trusted proxy. A caller's header of this name is dropped. */
export const clientAddressHeader = "x-tintype-client-address";

/** The owner of the provider's mails in the outbox, where the account's own id is not known yet. */
export const outboxOwnerOf = (subject: string): string => `idp:${subject}`;
