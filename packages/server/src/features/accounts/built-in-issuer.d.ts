/** The issuer and the audience of the built-in provider's tokens. */
export declare const builtInIssuer: (origin: string) => string;
export declare const builtInAudience = "tintype";
