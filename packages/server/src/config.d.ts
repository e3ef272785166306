import { z } from "zod";
/** Every setting there is; docs/configuration.md tells them to people, and a test compares the two. */
export declare const settings: {
    readonly NODE_ENV: z.ZodPreprocess<z.ZodDefault<z.ZodString>, unknown>;
    readonly PORT: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly HOST: z.ZodPreprocess<z.ZodDefault<z.ZodString>, unknown>;
    readonly TINTYPE_DATA: z.ZodPreprocess<z.ZodDefault<z.ZodString>, unknown>;
    readonly TINTYPE_ORIGIN: z.ZodPreprocess<z.ZodOptional<z.ZodURL>, unknown>;
    readonly TINTYPE_SECRET: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly TINTYPE_STOP_WITHIN_S: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_TRUSTED_PROXIES: z.ZodPreprocess<z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>>, unknown>;
    readonly TINTYPE_COUNTRY_HEADER: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly CONTACT_EMAIL: z.ZodPreprocess<z.ZodOptional<z.ZodEmail>, unknown>;
    readonly SECURITY_CONTACT: z.ZodPreprocess<z.ZodOptional<z.ZodUnion<readonly [z.ZodEmail, z.ZodURL]>>, unknown>;
    readonly TINTYPE_LOG_LEVEL: z.ZodPreprocess<z.ZodDefault<z.ZodEnum<{
        error: "error";
        fatal: "fatal";
        warn: "warn";
        info: "info";
        debug: "debug";
        silent: "silent";
    }>>, unknown>;
    readonly TINTYPE_METRICS_TOKEN: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly TINTYPE_ENGINES: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_MODEL_ENGINES: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_ENGINE_MEMORY_MB: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_MODELS: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly TINTYPE_MODELS_FILE: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly TINTYPE_MODEL_THREADS: z.ZodPreprocess<z.ZodOptional<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_DEVICES: z.ZodPreprocess<z.ZodOptional<z.ZodPipe<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>, z.ZodArray<z.ZodEnum<{
        cpu: "cpu";
        cuda: "cuda";
        webgpu: "webgpu";
        coreml: "coreml";
        dml: "dml";
    }>>>>, unknown>;
    readonly TINTYPE_SANDBOX: z.ZodPreprocess<z.ZodDefault<z.ZodEnum<{
        auto: "auto";
        required: "required";
        off: "off";
    }>>, unknown>;
    readonly TINTYPE_ROLE: z.ZodPreprocess<z.ZodDefault<z.ZodEnum<{
        all: "all";
        api: "api";
        worker: "worker";
    }>>, unknown>;
    readonly TINTYPE_WORK: z.ZodPreprocess<z.ZodOptional<z.ZodPipe<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>, z.ZodArray<z.ZodEnum<{
        picture: "picture";
        model: "model";
    }>>>>, unknown>;
    readonly TINTYPE_QUEUE_FILES: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_CALLER_FILES: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_NETWORK_FILES: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_NETWORK_UPLOADS: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_CALLER_PREVIEWS: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_NETWORK_PREVIEWS: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_SPOOL_MB: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_URL_INPUT: z.ZodPreprocess<z.ZodDefault<z.ZodCodec<z.ZodString, z.ZodBoolean>>, unknown>;
    readonly TINTYPE_URL_ALLOW: z.ZodPreprocess<z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>>, unknown>;
    readonly DATABASE_URL: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly REDIS_URL: z.ZodPreprocess<z.ZodOptional<z.ZodURL>, unknown>;
    readonly TINTYPE_BLOBS: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly TINTYPE_SMALL_BLOBS: z.ZodPreprocess<z.ZodDefault<z.ZodEnum<{
        s3: "s3";
        redis: "redis";
    }>>, unknown>;
    readonly S3_BUCKET: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly S3_ENDPOINT: z.ZodPreprocess<z.ZodOptional<z.ZodURL>, unknown>;
    readonly S3_REGION: z.ZodPreprocess<z.ZodDefault<z.ZodString>, unknown>;
    readonly AWS_ACCESS_KEY_ID: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly AWS_SECRET_ACCESS_KEY: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly OIDC_ISSUER: z.ZodPreprocess<z.ZodOptional<z.ZodURL>, unknown>;
    readonly OIDC_AUDIENCE: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly OIDC_JWKS_URL: z.ZodPreprocess<z.ZodOptional<z.ZodURL>, unknown>;
    readonly OIDC_ALGORITHMS: z.ZodPreprocess<z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>>, unknown>;
    readonly OIDC_CLOCK_SKEW_S: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly OIDC_CLAIM_SUBJECT: z.ZodPreprocess<z.ZodDefault<z.ZodString>, unknown>;
    readonly OIDC_CLAIM_EMAIL: z.ZodPreprocess<z.ZodDefault<z.ZodString>, unknown>;
    readonly OIDC_CLAIM_VERIFIED: z.ZodPreprocess<z.ZodDefault<z.ZodString>, unknown>;
    readonly OIDC_CLAIM_NAME: z.ZodPreprocess<z.ZodDefault<z.ZodString>, unknown>;
    readonly OIDC_CLAIM_PICTURE: z.ZodPreprocess<z.ZodDefault<z.ZodString>, unknown>;
    readonly GOOGLE_CLIENT_ID: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly GOOGLE_CLIENT_SECRET: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly GOOGLE_DISCOVERY_URL: z.ZodPreprocess<z.ZodDefault<z.ZodURL>, unknown>;
    readonly FIREBASE_PROJECT_ID: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly FIREBASE_API_KEY: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly FIREBASE_AUTH_DOMAIN: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly FIREBASE_APP_ID: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly FIREBASE_EMULATOR_URL: z.ZodPreprocess<z.ZodOptional<z.ZodURL>, unknown>;
    readonly PASSWORD_MIN_LENGTH: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_CORS_ORIGINS: z.ZodPreprocess<z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>>, unknown>;
    readonly RATE_LIMIT_PER_MINUTE: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly KEY_RATE_LIMIT_PER_MINUTE: z.ZodPreprocess<z.ZodDefault<z.ZodCoercedNumber<unknown>>, unknown>;
    readonly TINTYPE_SITE: z.ZodDefault<z.ZodPreprocess<z.ZodDefault<z.ZodCodec<z.ZodString, z.ZodBoolean>>, unknown>>;
    readonly PAYMENTS: z.ZodPreprocess<z.ZodOptional<z.ZodEnum<{
        razorpay: "razorpay";
        sandbox: "sandbox";
    }>>, unknown>;
    readonly RAZORPAY_KEY_ID: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly RAZORPAY_KEY_SECRET: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly RAZORPAY_WEBHOOK_SECRET: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
    readonly RAZORPAY_PLANS: z.ZodPreprocess<z.ZodOptional<z.ZodPipe<z.ZodString, z.ZodTransform<string[], string>>>, unknown>;
    readonly EMAIL_VERIFICATION: z.ZodPreprocess<z.ZodDefault<z.ZodEnum<{
        auto: "auto";
        off: "off";
        on: "on";
    }>>, unknown>;
    readonly MAIL: z.ZodPreprocess<z.ZodOptional<z.ZodEnum<{
        smtp: "smtp";
        log: "log";
    }>>, unknown>;
    readonly SMTP_URL: z.ZodPreprocess<z.ZodOptional<z.ZodURL>, unknown>;
    readonly MAIL_FROM: z.ZodPreprocess<z.ZodOptional<z.ZodString>, unknown>;
};
type Settings = {
    [Name in keyof typeof settings]: z.infer<(typeof settings)[Name]>;
};
export type Config = Settings & {
    dataFolder: string;
    /** The folder of fetched models. */
    modelsFolder: string;
    /** The address people use, without a slash at its end. */
    origin: string;
    isProduction: boolean;
    /** Signs guest cookies and sessions, keys the hash of networks. Made once and kept in the data folder. */
    secret: string;
};
/** As `readConfig`, and takes the secrets out of the environment: what is started later, or prints it, has none. */
export declare function takeConfig(environment: Record<string, string | undefined>): Config;
/**
 * The configuration from environment variables.
 * @throws Error naming each setting that is wrong, a line each
 */
export declare function readConfig(environment: Record<string, string | undefined>): Config;
export {};
