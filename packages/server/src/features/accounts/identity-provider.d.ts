import { type JWTVerifyGetKey } from "jose";
import type { Database } from "../../platform/db/database.ts";
import type { RateLimits } from "../../platform/rate-limits/rate-limits.ts";
import { type ProviderLogTarget } from "./provider-log.ts";
import type { ProviderMails, ProviderUser } from "./provider-mails.ts";
export type IdentityProviderOptions = {
    origin: string;
    secret: string;
    db: Database;
    log: ProviderLogTarget;
    mails: ProviderMails;
    rateLimits: RateLimits;
    /** Whether a new account is mailed a link to verify its address. */
    verifiesAddresses: boolean;
    passwordMinLength: number;
    google?: {
        clientId: string;
        clientSecret: string;
        discoveryUrl: string;
    };
    /** Removes sessions and passwords made before the address' owner took the account over: a stranger may have made them. */
    onTakeOver(subject: string): Promise<void>;
};
/** The provider's part that the server needs: answers to requests below `/idp`, and its public keys. */
export type IdentityProvider = {
    handler(request: Request): Promise<Response>;
    getJwks(): ReturnType<ReturnType<typeof configure>["api"]["getJwks"]>;
};
/**
 * The built-in identity provider (better-auth), mounted at `/idp`, in the product's own database. It asks for Google's
 * addresses once, when it is made, and leaves Google out if they cannot be had: then it is made again.
 */
export declare function createIdentityProvider(options: IdentityProviderOptions): IdentityProvider;
declare function configure(options: IdentityProviderOptions): import("better-auth").Auth<{
    account: {
        accountLinking: {
            enabled: true;
            requireLocalEmailVerified: false;
            updateUserInfoOnLink: true;
        };
    };
    user: {
        deleteUser: {
            enabled: false;
        };
    };
    rateLimit: {
        enabled: true;
        customStorage: {
            consume(key: string, { window, max }: {
                window: number;
                max: number;
            }): Promise<{
                allowed: boolean;
                retryAfter: number | null;
            }>;
        };
        window: number;
        max: number;
        customRules: {
            "/sign-in/email": {
                window: number;
                max: number;
            };
            "/sign-up/email": {
                window: number;
                max: number;
            };
            "/request-password-reset": {
                window: number;
                max: number;
            };
            "/send-verification-email": {
                window: number;
                max: number;
            };
            "/change-password": {
                window: number;
                max: number;
            };
        };
    };
    plugins: [{
        id: "bearer";
        version: string;
        hooks: {
            before: {
                matcher(context: import("better-auth").HookEndpointContext): boolean;
                handler: import("better-auth").Middleware<import("better-auth").MiddlewareOptions, (inputContext: import("better-auth").MiddlewareInputContext<import("better-auth").MiddlewareOptions>) => Promise<{
                    context: {
                        headers: Headers;
                    };
                } | undefined>>;
            }[];
            after: {
                matcher(context: import("better-auth").HookEndpointContext): true;
                handler: import("better-auth").Middleware<import("better-auth").MiddlewareOptions, (inputContext: import("better-auth").MiddlewareInputContext<import("better-auth").MiddlewareOptions>) => Promise<void>>;
            }[];
        };
        options: import("better-auth/plugins").BearerOptions | undefined;
    }, {
        id: "jwt";
        version: string;
        options: NoInfer<{
            jwks: {
                keyPairConfig: {
                    alg: "RS256";
                };
                rotationInterval: number;
                gracePeriod: number;
            };
            adapter: {
                createJwk(key: Omit<import("better-auth/plugins").Jwk, "id">): Promise<{
                    expiresAt?: Date;
                    id: string;
                    publicKey: string;
                    privateKey: string;
                    createdAt: Date;
                    alg: "RS256";
                }>;
            };
            jwt: {
                issuer: string;
                audience: string;
                expirationTime: string;
                definePayload: ({ user, session }: {
                    user: import("better-auth").User & Record<string, any>;
                    session: import("better-auth").Session & Record<string, any>;
                }) => {
                    sid: string;
                    email: string;
                    email_verified: boolean;
                    name: string;
                    picture: string | null | undefined;
                };
            };
        }>;
        init(ctx: import("better-auth").AuthContext): {
            context: {
                sessionConfig: {
                    cookieCacheSigner: import("better-auth").CookieCacheSigner;
                    updateAge: number;
                    expiresIn: number;
                    freshAge: number;
                    cookieRefreshCache: false | {
                        enabled: true;
                        updateAge: number;
                    };
                };
            };
        } | undefined;
        endpoints: {
            getJwks: import("better-auth").StrictEndpoint<string, {
                method: "GET";
                metadata: {
                    openapi: {
                        operationId: string;
                        description: string;
                        responses: {
                            "200": {
                                description: string;
                                content: {
                                    "application/json": {
                                        schema: {
                                            type: "object";
                                            properties: {
                                                keys: {
                                                    type: string;
                                                    description: string;
                                                    items: {
                                                        type: string;
                                                        properties: {
                                                            kid: {
                                                                type: string;
                                                                description: string;
                                                            };
                                                            kty: {
                                                                type: string;
                                                                description: string;
                                                            };
                                                            alg: {
                                                                type: string;
                                                                description: string;
                                                            };
                                                            use: {
                                                                type: string;
                                                                description: string;
                                                                enum: string[];
                                                                nullable: boolean;
                                                            };
                                                            n: {
                                                                type: string;
                                                                description: string;
                                                                nullable: boolean;
                                                            };
                                                            e: {
                                                                type: string;
                                                                description: string;
                                                                nullable: boolean;
                                                            };
                                                            crv: {
                                                                type: string;
                                                                description: string;
                                                                nullable: boolean;
                                                            };
                                                            x: {
                                                                type: string;
                                                                description: string;
                                                                nullable: boolean;
                                                            };
                                                            y: {
                                                                type: string;
                                                                description: string;
                                                                nullable: boolean;
                                                            };
                                                        };
                                                        required: string[];
                                                    };
                                                };
                                            };
                                            required: string[];
                                        };
                                    };
                                };
                            };
                        };
                    };
                };
            }, import("better-auth").JSONWebKeySet>;
            getToken: import("better-auth").StrictEndpoint<"/token", {
                method: "GET";
                requireHeaders: true;
                use: import("better-auth").Middleware<import("better-auth").MiddlewareOptions, (inputContext: import("better-auth").MiddlewareInputContext<import("better-auth").MiddlewareOptions>) => Promise<{
                    session: {
                        session: Record<string, any> & {
                            id: string;
                            createdAt: Date;
                            updatedAt: Date;
                            userId: string;
                            expiresAt: Date;
                            token: string;
                            ipAddress?: string | null | undefined;
                            userAgent?: string | null | undefined;
                        };
                        user: Record<string, any> & {
                            id: string;
                            createdAt: Date;
                            updatedAt: Date;
                            email: string;
                            emailVerified: boolean;
                            name: string;
                            image?: string | null | undefined;
                        };
                    };
                }>>[];
                metadata: {
                    openapi: {
                        operationId: string;
                        description: string;
                        responses: {
                            200: {
                                description: string;
                                content: {
                                    "application/json": {
                                        schema: {
                                            type: "object";
                                            properties: {
                                                token: {
                                                    type: string;
                                                };
                                            };
                                        };
                                    };
                                };
                            };
                        };
                    };
                };
            }, {
                token: string;
            }>;
            signJWT: import("better-auth").StrictEndpoint<string, {
                method: "POST";
                metadata: {
                    $Infer: {
                        body: {
                            payload: import("better-auth").JWTPayload;
                            overrideOptions?: import("better-auth/plugins").JwtOptions | undefined;
                        };
                    };
                };
                body: import("better-auth").ZodObject<{
                    payload: import("better-auth").ZodRecord<import("better-auth").ZodString, import("better-auth").ZodAny>;
                    overrideOptions: import("better-auth").ZodOptional<import("better-auth").ZodRecord<import("better-auth").ZodString, import("better-auth").ZodAny>>;
                }, import("zod/v4/core").$strip>;
            }, {
                token: string;
            }>;
            verifyJWT: import("better-auth").StrictEndpoint<string, {
                method: "POST";
                metadata: {
                    $Infer: {
                        body: {
                            token: string;
                            issuer?: string;
                        };
                        response: {
                            payload: {
                                sub: string;
                                aud: string;
                                [key: string]: any;
                            } | null;
                        };
                    };
                };
                body: import("better-auth").ZodObject<{
                    token: import("better-auth").ZodString;
                    issuer: import("better-auth").ZodOptional<import("better-auth").ZodString>;
                }, import("zod/v4/core").$strip>;
            }, {
                payload: (import("better-auth").JWTPayload & Required<Pick<import("better-auth").JWTPayload, "sub" | "aud">>) | null;
            }>;
        };
        hooks: {
            after: {
                matcher(context: import("better-auth").HookEndpointContext): boolean;
                handler: import("better-auth").Middleware<import("better-auth").MiddlewareOptions, (inputContext: import("better-auth").MiddlewareInputContext<import("better-auth").MiddlewareOptions>) => Promise<void>>;
            }[];
        };
        schema: {
            jwks: {
                fields: {
                    publicKey: {
                        type: "string";
                        required: true;
                    };
                    privateKey: {
                        type: "string";
                        required: true;
                    };
                    createdAt: {
                        type: "date";
                        required: true;
                    };
                    expiresAt: {
                        type: "date";
                        required: false;
                    };
                    alg: {
                        type: "string";
                        required: false;
                    };
                    crv: {
                        type: "string";
                        required: false;
                    };
                };
            };
        };
    }, ...{
        id: "generic-oauth";
        version: string;
        init: (ctx: import("better-auth").AuthContext) => Promise<{
            context: {
                socialProviders: import("better-auth").OAuthProvider<object, Partial<import("better-auth").ProviderOptions<object>>>[];
            };
        }>;
        options: import("better-auth/plugins").GenericOAuthOptions<"google">;
        $ERROR_CODES: {
            INVALID_OAUTH_CONFIGURATION: import("better-auth").RawError<"INVALID_OAUTH_CONFIGURATION">;
            TOKEN_URL_NOT_FOUND: import("better-auth").RawError<"TOKEN_URL_NOT_FOUND">;
        };
    }[], {
        id: "oauth-popup";
        version: string;
        $ERROR_CODES: {
            POPUP_SIGN_IN_FAILED: import("better-auth").RawError<"POPUP_SIGN_IN_FAILED">;
            POPUP_BLOCKED: import("better-auth").RawError<"POPUP_BLOCKED">;
            POPUP_CLOSED: import("better-auth").RawError<"POPUP_CLOSED">;
            POPUP_TIMEOUT: import("better-auth").RawError<"POPUP_TIMEOUT">;
        };
        endpoints: {
            oauthPopupStart: import("better-auth").StrictEndpoint<"/oauth-popup/start", {
                method: "GET";
                query: import("better-auth").ZodObject<{
                    provider: import("better-auth").ZodString;
                    popupOrigin: import("better-auth").ZodString;
                    popupNonce: import("better-auth").ZodOptional<import("better-auth").ZodString>;
                    callbackURL: import("better-auth").ZodOptional<import("better-auth").ZodString>;
                    errorCallbackURL: import("better-auth").ZodOptional<import("better-auth").ZodString>;
                    newUserCallbackURL: import("better-auth").ZodOptional<import("better-auth").ZodString>;
                    scopes: import("better-auth").ZodOptional<import("better-auth").ZodString>;
                    requestSignUp: import("better-auth").ZodOptional<import("better-auth").ZodString>;
                    additionalData: import("better-auth").ZodOptional<import("better-auth").ZodString>;
                }, import("zod/v4/core").$strip>;
                metadata: {
                    readonly scope: "server";
                };
            }, Response>;
        };
        hooks: {
            after: {
                matcher(context: import("better-auth").HookEndpointContext): boolean;
                handler: import("better-auth").Middleware<import("better-auth").MiddlewareOptions, (inputContext: import("better-auth").MiddlewareInputContext<import("better-auth").MiddlewareOptions>) => Promise<void>>;
            }[];
        };
    }];
    emailVerification?: {
        sendOnSignUp: true;
        expiresIn: number;
        sendVerificationEmail: ({ user, token }: {
            user: ProviderUser;
            token: string;
        }) => Promise<void>;
    };
    database: (options: import("better-auth").BetterAuthOptions) => import("better-auth").DBAdapter<import("better-auth").BetterAuthOptions>;
    advanced: {
        disableOriginCheck: false;
        ipAddress: {
            ipAddressHeaders: string[];
        };
        useSecureCookies: boolean;
    };
    emailAndPassword: {
        enabled: true;
        minPasswordLength: number;
        revokeSessionsOnPasswordReset: true;
        resetPasswordTokenExpiresIn: number;
        sendResetPassword: ({ user, url }: {
            user: import("better-auth").User;
            url: string;
            token: string;
        }) => Promise<void>;
        onPasswordReset: ({ user }: {
            user: import("better-auth").User;
        }) => Promise<void>;
    };
    hooks: {
        before: import("better-auth").Middleware<import("better-auth").MiddlewareOptions, (inputContext: import("better-auth").MiddlewareInputContext<import("better-auth").MiddlewareOptions>) => Promise<{
            context: {
                body: any;
            };
        } | undefined>>;
        after: import("better-auth").Middleware<import("better-auth").MiddlewareOptions, (inputContext: import("better-auth").MiddlewareInputContext<import("better-auth").MiddlewareOptions>) => Promise<void>>;
    };
    databaseHooks: {
        user: {
            create: {
                before: (user: {
                    name?: string | undefined;
                    image?: string | null | undefined;
                }) => Promise<{
                    data: {
                        name?: string;
                        image?: string | null;
                    };
                }>;
            };
            update: {
                before: (user: {
                    name?: string | undefined;
                    image?: string | null | undefined;
                }) => Promise<{
                    data: {
                        name?: string;
                        image?: string | null;
                    };
                }>;
                after: (user: ProviderUser) => Promise<void>;
            };
        };
        account: {
            create: {
                before: ({ userId, providerId }: {
                    userId: string;
                    providerId: string;
                }) => Promise<void>;
            };
        };
    };
    onPasswordReset(user: ProviderUser): Promise<void>;
    logger: {
        level: "warn";
        log(_level: string, message: string, ...details: unknown[]): void;
    };
    onAPIError: {
        onError(problem: unknown): void;
    };
    appName: string;
    baseURL: string;
    basePath: string;
    secret: string;
    trustedOrigins: string[];
    telemetry: {
        enabled: false;
    };
}>;
/** Set by us alone, from the connection or a trusted proxy; whatever a caller sends under this name is dropped. */
export declare const clientAddressHeader = "x-tintype-client-address";
/** The provider's public keys, read from its own tables: no request to ourselves, which a proxy could be in the way of. */
export declare function builtInKeys(provider: IdentityProvider): JWTVerifyGetKey;
export {};
