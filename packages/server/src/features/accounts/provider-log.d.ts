export type ProviderLogTarget = {
    warn(details: object, message: string): void;
    error(details: object, message: string): void;
};
/**
 * better-auth's log, in ours: left to itself it prints to the console, with whatever people typed unescaped. An error
 * among its arguments is kept, other arguments are not: they can be a whole user.
 */
export declare function createProviderLog(log: ProviderLogTarget): {
    logger: {
        level: "warn";
        log(_level: string, message: string, ...details: unknown[]): void;
    };
    onAPIError: {
        onError(problem: unknown): void;
    };
};
