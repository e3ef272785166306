/** The issuer and the audience of the built-in provider's tokens. */
export const builtInIssuer = (origin: string): string => `${origin}/idp`;
export const builtInAudience = "tintype";
