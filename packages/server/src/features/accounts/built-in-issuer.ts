/** Who the built-in provider is to whoever reads its tokens, and who they are for. */
export const builtInIssuer = (origin: string): string => `${origin}/idp`;
export const builtInAudience = "tintype";
