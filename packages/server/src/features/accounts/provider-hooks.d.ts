import type { Database } from "../../platform/db/database.ts";
import type { ProviderMails, ProviderUser } from "./provider-mails.ts";
type Hooking = {
    db: Database;
    origin: string;
    mails: ProviderMails;
    onTakeOver(subject: string): Promise<void>;
};
type Profile = {
    name?: string | undefined;
    image?: string | null | undefined;
};
/** Our rules inside better-auth: names, password changes, and the owner's take-over. */
export declare function providerHooks({ db, origin, mails, onTakeOver }: Hooking): {
    hooks: {
        before: import("better-call").Middleware<import("better-call").MiddlewareOptions, (inputContext: import("better-call").MiddlewareInputContext<import("better-call").MiddlewareOptions>) => Promise<{
            context: {
                body: any;
            };
        } | undefined>>;
        after: import("better-call").Middleware<import("better-call").MiddlewareOptions, (inputContext: import("better-call").MiddlewareInputContext<import("better-call").MiddlewareOptions>) => Promise<void>>;
    };
    databaseHooks: {
        user: {
            create: {
                before: (user: Profile) => Promise<{
                    data: {
                        name?: string;
                        image?: string | null;
                    };
                }>;
            };
            update: {
                before: (user: Profile) => Promise<{
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
    /** The link came by mail: whoever followed it owns the address. */
    onPasswordReset(user: ProviderUser): Promise<void>;
};
export {};
