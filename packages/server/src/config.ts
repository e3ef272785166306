import { randomBytes } from "node:crypto";
import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { isIP } from "node:net";
import { availableParallelism } from "node:os";
import { join, resolve } from "node:path";
import {
  type Limits,
  limits,
  modes,
  type PlanTable,
  type PublicConfig,
  setMode,
  setPlans,
  tierNames,
} from "@tintype/contract";
import { providers } from "@tintype/imaging";
import { z } from "zod";
import { issueSentence } from "./http/issue-sentence.ts";
import { type Brand, readBrand } from "./platform/brand/brand.ts";
import { tintypePlans } from "./platform/brand/plan-rules.ts";
import { type DerivedKeys, deriveKeys } from "./platform/keys.ts";
import { memoryBytes } from "./platform/memory.ts";
import { missingSettings, unknownSettings } from "./production.ts";
import { isGuessable, isPlaceholder } from "./secret-strength.ts";
import { fileSetting, readSecretFiles, secretSettings } from "./secrets.ts";

const blankIsMissing = (value: unknown) => (value === "" ? undefined : value);
const setting = <T extends z.ZodType>(schema: T) => z.preprocess(blankIsMissing, schema);
const whole = (min: number, max: number) => z.coerce.number().int().min(min).max(max);
const namesOf = (value: string) =>
  value
    .split(",")
    .map((one) => one.trim())
    .filter(Boolean);
const list = setting(z.string().transform(namesOf).optional());
/** What @fastify/proxy-addr accepts: an address, a block, or one of its names for blocks. */
function isAddressOrBlock(text: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(text)) return true;
  const [address = "", bits, ...rest] = text.split("/");
  const version = isIP(address);
  if (version === 0 || rest.length > 0) return false;
  return bits === undefined || (/^\d+$/.test(bits) && Number(bits) >= 1 && Number(bits) <= (version === 4 ? 32 : 128));
}
type Admission = Omit<PublicConfig["access"], "invitation">;
/** A claim, and the values of which a token must have one. */
type AllowedClaims = { claim: string; values: readonly string[] };
const flag = setting(z.stringbool().default(false));
/** An origin as a browser sends it: scheme, host and port. */
const isOrigin = (text: string) => text === "*" || (URL.canParse(text) && new URL(text).origin === text);

/** In characters. */
const minSecretLength = 32;

/** The container's memory if there is one: the rest of the machine is not ours. */
function defaultEngineMemoryMb(): number {
  return Math.max(1600, Math.floor((memoryBytes() / 1e6) * 0.4));
}

/** W3C Baggage, as OpenTelemetry writes headers: comma-separated `name=value`, values percent-encoded. */
const headerList = setting(
  z
    .string()
    .transform((value, issue) => {
      try {
        return Object.fromEntries(
          namesOf(value).map((pair) => {
            const equals = pair.indexOf("=");
            if (equals < 1) throw new Error();
            return [pair.slice(0, equals).trim(), decodeURIComponent(pair.slice(equals + 1).trim())];
          }),
        );
      } catch {
        issue.addIssue("write headers as name=value, with commas; values are percent-encoded");
        return z.NEVER;
      }
    })
    .optional(),
);
const traceProtocol = setting(
  z.enum(["http/protobuf", "http/json"], "http/protobuf or http/json; grpc is not supported").optional(),
);

/** A list of these names, with commas. */
const listFrom = <const Name extends string>(names: readonly Name[]) =>
  setting(
    z
      .string()
      .transform((value) => value.split(",").map((one) => one.trim().toLowerCase()))
      .pipe(z.array(z.enum(names)))
      .optional(),
  );

const isDomain = (text: string) => /^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(text);
const signUp = setting(
  z
    .string()
    .transform((value, issue): Omit<Admission, "guests"> => {
      if (value === "open" || value === "invite" || value === "closed") return { sign_up: value, domains: [] };
      const domains = value.startsWith("domain:") ? namesOf(value.slice("domain:".length).toLowerCase()) : [];
      if (domains.length > 0 && domains.every(isDomain)) return { sign_up: "domain", domains };
      issue.addIssue("write open, invite, closed, or domain:example.com, with commas between domains");
      return z.NEVER;
    })
    .optional(),
);

const allowedClaims = setting(
  z
    .string()
    .transform((value, issue): AllowedClaims => {
      const [, claim, listed = ""] = /^([\w.:/-]+):(.+)$/.exec(value) ?? [];
      const values = namesOf(listed);
      if (claim && values.length > 0) return { claim, values };
      issue.addIssue("write a claim and the values that may enter, such as groups:design,marketing");
      return z.NEVER;
    })
    .optional(),
);

/** All settings. docs/configuration.md documents them, and a test compares the two. */
export const settings = {
  NODE_ENV: setting(z.string().default("development")),
  TINTYPE_MODE: setting(z.enum(modes).default("service")),
  PORT: setting(whole(0, 65_535).default(3000)),
  HOST: setting(z.string().default("localhost")),
  TINTYPE_DATA: setting(z.string().default(".tintype")),
  TINTYPE_ORIGIN: setting(z.url().optional()),
  TINTYPE_BRAND: setting(z.string().optional()),
  TINTYPE_BRAND_FILE: setting(z.string().optional()),
  TINTYPE_HOSTS: list,
  TINTYPE_SECRET: setting(z.string().min(minSecretLength).optional()),
  TINTYPE_SECRET_PREVIOUS: setting(z.string().min(minSecretLength).optional()),
  TINTYPE_STOP_WITHIN_S: setting(whole(1, 600).default(25)),
  TINTYPE_TRUSTED_PROXIES: setting(
    z
      .string()
      .transform((value) => (value.trim() === "none" ? [] : namesOf(value)))
      .pipe(
        z.array(
          z.string().refine(isAddressOrBlock, "name addresses or CIDR blocks like 10.0.0.0/8, with commas, or none"),
        ),
      )
      .optional(),
  ),
  TINTYPE_COUNTRY_HEADER: setting(z.string().optional()),
  CONTACT_EMAIL: setting(z.email().optional()),
  SECURITY_CONTACT: setting(z.union([z.email(), z.url({ protocol: /^https$/ })]).optional()),
  TINTYPE_LOG_LEVEL: setting(z.enum(["fatal", "error", "warn", "info", "debug", "silent"]).default("info")),
  // OpenTelemetry's own names. Its SDK reads the sampler, limits and resource attributes itself.
  OTEL_SDK_DISABLED: flag,
  OTEL_TRACES_EXPORTER: setting(z.enum(["otlp", "none"]).optional()),
  OTEL_EXPORTER_OTLP_ENDPOINT: setting(z.url({ protocol: /^https?$/ }).optional()),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: setting(z.url({ protocol: /^https?$/ }).optional()),
  OTEL_EXPORTER_OTLP_PROTOCOL: traceProtocol,
  OTEL_EXPORTER_OTLP_TRACES_PROTOCOL: traceProtocol,
  OTEL_EXPORTER_OTLP_HEADERS: headerList,
  OTEL_EXPORTER_OTLP_TRACES_HEADERS: headerList,
  TINTYPE_METRICS_TOKEN: setting(z.string().min(16).optional()),
  TINTYPE_ENGINES: setting(whole(1, 64).default(availableParallelism())),
  TINTYPE_SPARE_ENGINES: setting(whole(0, 8).default(1)),
  TINTYPE_MODEL_ENGINES: setting(whole(1, 8).default(1)),
  TINTYPE_ENGINE_MEMORY_MB: setting(whole(256, 262_144).default(defaultEngineMemoryMb())),
  TINTYPE_WARM: flag,
  TINTYPE_MODELS: setting(z.string().optional()),
  TINTYPE_MODELS_FILE: setting(z.string().optional()),
  TINTYPE_MODEL_THREADS: setting(whole(1, 256).optional()),
  TINTYPE_DEVICES: listFrom(providers),
  TINTYPE_SANDBOX: setting(z.enum(["auto", "required", "off"]).default("auto")),
  TINTYPE_ROLE: setting(z.enum(["all", "api", "worker"]).default("all")),
  TINTYPE_WORK: listFrom(["picture", "model"]),
  TINTYPE_QUEUE_FILES: setting(whole(1, 100_000).default(2000)),
  TINTYPE_CALLER_FILES: setting(whole(1, 100_000).default(400)),
  TINTYPE_NETWORK_FILES: setting(whole(1, 100_000).default(100)),
  TINTYPE_NETWORK_UPLOADS: setting(whole(1, 100_000).default(100)),
  TINTYPE_CALLER_PREVIEWS: setting(whole(1, 1_000_000).default(1000)),
  TINTYPE_NETWORK_PREVIEWS: setting(whole(1, 1_000_000).default(3000)),
  TINTYPE_CALLER_FREE_SECONDS: setting(whole(1, 1_000_000).default(600)),
  TINTYPE_NETWORK_FREE_SECONDS: setting(whole(1, 1_000_000).default(1800)),
  TINTYPE_BATCH_FILES: setting(whole(1, 500).optional()),
  TINTYPE_FILE_MB: setting(whole(1, 500).optional()),
  TINTYPE_MEGAPIXELS: setting(whole(1, 200).optional()),
  TINTYPE_SPOOL_MB: setting(whole(1, 1_000_000_000).default(20_000)),
  TINTYPE_URL_INPUT: flag,
  TINTYPE_URL_ALLOW: list,
  DATABASE_URL: setting(
    z
      .string()
      .refine((value) => value === "embedded" || value.startsWith("postgres"), "postgres://... or embedded")
      // Set explicitly or by default, it is the same database.
      .transform((value) => (value === "embedded" ? undefined : value))
      .optional(),
  ),
  TINTYPE_WEBHOOKS: setting(z.stringbool().optional()),
  REDIS_URL: setting(z.url({ protocol: /^rediss?$/ }).optional()),
  TINTYPE_BLOBS: setting(z.string().optional()),
  TINTYPE_SMALL_BLOBS: setting(z.enum(["s3", "redis"]).default("s3")),
  S3_BUCKET: setting(z.string().optional()),
  S3_ENDPOINT: setting(z.url({ protocol: /^https?$/ }).optional()),
  S3_REGION: setting(z.string().default("us-east-1")),
  AWS_ACCESS_KEY_ID: setting(z.string().optional()),
  AWS_SECRET_ACCESS_KEY: setting(z.string().optional()),
  OIDC_ISSUER: setting(z.url().optional()),
  OIDC_AUDIENCE: setting(z.string().optional()),
  OIDC_JWKS_URL: setting(z.url().optional()),
  OIDC_ALGORITHMS: list,
  OIDC_CLOCK_SKEW_S: setting(whole(0, 600).default(30)),
  OIDC_ALLOW: allowedClaims,
  OIDC_CLAIM_SUBJECT: setting(z.string().default("sub")),
  OIDC_CLAIM_EMAIL: setting(z.string().default("email")),
  OIDC_CLAIM_VERIFIED: setting(z.string().default("email_verified")),
  OIDC_CLAIM_NAME: setting(z.string().default("name")),
  OIDC_CLAIM_PICTURE: setting(z.string().default("picture")),
  GOOGLE_CLIENT_ID: setting(z.string().optional()),
  GOOGLE_CLIENT_SECRET: setting(z.string().optional()),
  GOOGLE_DISCOVERY_URL: setting(z.url().default("https://accounts.google.com/.well-known/openid-configuration")),
  FIREBASE_PROJECT_ID: setting(z.string().optional()),
  FIREBASE_API_KEY: setting(z.string().optional()),
  FIREBASE_AUTH_DOMAIN: setting(z.string().optional()),
  FIREBASE_APP_ID: setting(z.string().optional()),
  FIREBASE_EMULATOR_URL: setting(z.url().optional()),
  SIGN_UP: signUp,
  GUESTS: setting(z.stringbool().optional()),
  PASSWORD_MIN_LENGTH: setting(whole(6, 128).default(8)),
  TINTYPE_CORS_ORIGINS: setting(
    z
      .string()
      .transform((value) => value.split(",").map((one) => one.trim()))
      .refine((all) => all.every(isOrigin), "name origins like https://shop.example.com, with commas, or *")
      .optional(),
  ),
  RATE_LIMIT_PER_MINUTE: setting(whole(1, 1_000_000).default(1200)),
  KEY_RATE_LIMIT_PER_MINUTE: setting(whole(1, 1_000_000).default(600)),
  TINTYPE_SITE: flag.default(true),
  PAYMENTS: setting(z.enum(["razorpay", "sandbox"]).optional()),
  RAZORPAY_KEY_ID: setting(z.string().startsWith("rzp_").optional()),
  RAZORPAY_KEY_SECRET: setting(z.string().optional()),
  RAZORPAY_WEBHOOK_SECRET: setting(z.string().min(8).optional()),
  RAZORPAY_PLANS: list,
  EMAIL_VERIFICATION: setting(z.enum(["auto", "on", "off"]).default("auto")),
  MAIL: setting(z.enum(["smtp", "log"]).optional()),
  SMTP_URL: setting(z.url({ protocol: /^smtps?$/ }).optional()),
  MAIL_FROM: setting(z.string().includes("@").optional()),
} as const;
type Settings = { [Name in keyof typeof settings]: z.infer<(typeof settings)[Name]> };

export type Config = Settings & {
  /** Default: TINTYPE_URL_INPUT. */
  TINTYPE_WEBHOOKS: boolean;
  dataFolder: string;
  /** The folder of fetched models. */
  modelsFolder: string;
  /** The public address, without a trailing slash. */
  origin: string;
  isProduction: boolean;
  brand: Brand;
  /** Of GUESTS and SIGN_UP, with the mode's defaults. */
  access: Admission;
  /** Derived from `TINTYPE_SECRET`, or from a secret that is generated once and kept in the data folder. */
  keys: DerivedKeys;
  /** Derived from `TINTYPE_SECRET_PREVIOUS`: what was signed or encrypted with them is still accepted. */
  previousKeys: DerivedKeys | undefined;
};

/** Like `readConfig`, but also removes the secrets from the environment, so that child processes and dumps do not have them. */
export function takeConfig(environment: Record<string, string | undefined>): Config {
  const config = readConfig(environment);
  for (const name of secretSettings) delete environment[name];
  return config;
}

/**
 * Reads the configuration from environment variables.
 * @throws Error naming each invalid setting, one per line
 */
export function readConfig(given: Record<string, string | undefined>): Config {
  const environment = readSecretFiles(given);
  const parsed = z.object(settings).safeParse(environment);
  const lines = parsed.success ? [] : parsed.error.issues.map(settingProblem);
  if (environment["NODE_ENV"] === "production") {
    lines.push(...unknownSettings(environment, [...Object.keys(settings), ...secretSettings.map(fileSetting)]));
    const missing = environment["TINTYPE_MODE"] === "private" ? [] : missingSettings(environment);
    if (missing.length > 0) lines.push("NODE_ENV=production also requires:", ...missing);
  }
  if (!parsed.success || lines.length > 0) throw new Error(`The configuration is invalid.\n${lines.join("\n")}`);
  const values = parsed.data as Settings; // z.object over a mapped type loses the per-key inference
  const dataFolder = resolve(values.TINTYPE_DATA);
  requireSharedSecret(values);
  const named = readBrand({ content: values.TINTYPE_BRAND, file: values.TINTYPE_BRAND_FILE, dataFolder });
  const access = accessOf(values);
  const brand = { ...named, plans: plansOf(named, values, access) };
  // Every process starts here, and everything after reads its mode and plans.
  setMode(values.TINTYPE_MODE);
  setPlans(brand.plans ?? tintypePlans);
  if (brand.plans) refuseUnreachableBatches(values);
  refusePlaceholders(environment);
  return {
    ...values,
    dataFolder,
    brand,
    access,
    CONTACT_EMAIL: values.CONTACT_EMAIL ?? brand.supportEmail,
    TINTYPE_WEBHOOKS: values.TINTYPE_WEBHOOKS ?? values.TINTYPE_URL_INPUT,
    modelsFolder: resolve(values.TINTYPE_MODELS ?? join(dataFolder, "models")),
    origin: (values.TINTYPE_ORIGIN ?? `http://localhost:${values.PORT}`).replace(/\/+$/, ""),
    isProduction: values.NODE_ENV === "production",
    keys: deriveKeys(masterSecret(values, dataFolder)),
    previousKeys: values.TINTYPE_SECRET_PREVIOUS ? deriveKeys(previousSecret(values)) : undefined,
  };
}

/** Who may come in. A private installation is for the people that it knows. */
function accessOf({ TINTYPE_MODE, SIGN_UP, GUESTS, OIDC_ALLOW }: Settings): Admission {
  const isService = TINTYPE_MODE === "service";
  // With OIDC_ALLOW the issuer says who may come in.
  const isOpen = isService || OIDC_ALLOW !== undefined;
  return { guests: GUESTS ?? isService, ...(SIGN_UP ?? { sign_up: isOpen ? "open" : "invite", domains: [] }) };
}

/** Undefined for Tintype's own. */
function plansOf({ plans }: Brand, values: Settings, { guests }: Admission): PlanTable | undefined {
  if (values.TINTYPE_MODE === "private") return privatePlans(plans ?? tintypePlans, values, guests);
  return guests ? plans : withoutGuestCredits(plans ?? tintypePlans);
}

/** Credits are not limited: a page that asks before it knows the server's answer must refuse nothing. */
const plenty = 1_000_000;

/** Everyone has the limits of files that the operator set, and nobody's files go first. */
function privatePlans(plans: PlanTable, values: Settings, guests: boolean): PlanTable {
  const { TINTYPE_BATCH_FILES, TINTYPE_FILE_MB, TINTYPE_MEGAPIXELS, TINTYPE_CALLER_FILES, TINTYPE_NETWORK_FILES } =
    values;
  const { pro } = plans.limits;
  const everyone: Limits = {
    ...pro,
    credits: plenty,
    fastLanePerDay: 0,
    filesPerBatch: TINTYPE_BATCH_FILES ?? Math.min(pro.filesPerBatch, TINTYPE_CALLER_FILES),
    megabytesPerFile: TINTYPE_FILE_MB ?? pro.megabytesPerFile,
    megapixelsIn: TINTYPE_MEGAPIXELS ?? pro.megapixelsIn,
    megapixelsOut: TINTYPE_MEGAPIXELS ?? pro.megapixelsOut,
  };
  const guest = {
    ...everyone,
    credits: guests ? plenty : 0,
    filesPerBatch: Math.min(everyone.filesPerBatch, TINTYPE_NETWORK_FILES),
  };
  const labels = { hobby: "", mini: "", plus: "", pro: "" };
  return { ...plans, labels, limits: { guest, hobby: everyone, mini: everyone, plus: everyone, pro: everyone } };
}

const withoutGuestCredits = (plans: PlanTable): PlanTable => ({
  ...plans,
  limits: { ...plans.limits, guest: { ...plans.limits.guest, credits: 0 } },
});

/** @throws Error if a plan's batches exceed what may wait for one caller, or for a network's guests */
function refuseUnreachableBatches({ TINTYPE_CALLER_FILES, TINTYPE_NETWORK_FILES }: Settings): void {
  for (const tier of tierNames) {
    const [name, most] =
      tier === "guest"
        ? ["TINTYPE_NETWORK_FILES", TINTYPE_NETWORK_FILES]
        : ["TINTYPE_CALLER_FILES", TINTYPE_CALLER_FILES];
    const { filesPerBatch } = limits[tier];
    if (filesPerBatch > most)
      throw new Error(
        `The configuration is invalid.\n${name}: expected ${filesPerBatch} or more, the files per batch of ${tier}, received ${most}`,
      );
  }
}

/** A setting's own message follows its name; zod's is a sentence that begins with it. */
function settingProblem(issue: z.core.$ZodIssue): string {
  const name = issue.path.join(".");
  if (issue.code === "custom") return `${name}: ${issue.message}`;
  return issue.code === "invalid_format" && issue.format === "url"
    ? `${name} is not a valid URL.`
    : issueSentence(issue);
}

/** @throws Error if settings contradict each other */
function requireSharedSecret({ TINTYPE_ROLE, TINTYPE_SECRET, DATABASE_URL, REDIS_URL }: Settings): void {
  const isShared = DATABASE_URL !== undefined && REDIS_URL !== undefined;
  // A worker signs nothing.
  if (isShared && TINTYPE_SECRET === undefined && TINTYPE_ROLE !== "worker")
    throw new Error(
      "With DATABASE_URL and REDIS_URL several processes run, and each would generate its own TINTYPE_SECRET. Set the same one for every process with TINTYPE_ROLE api or all.",
    );
}

/**
 * Whoever knows the secret can be any guest or person, and one from an example file is public.
 * @throws Error naming each setting that still has an example file's value
 */
function refusePlaceholders(environment: Record<string, string | undefined>): void {
  const left = [...secretSettings, "RAZORPAY_KEY_ID", "RAZORPAY_PLANS"].filter((name) =>
    isPlaceholder(environment[name] ?? ""),
  );
  if (left.length > 0)
    throw new Error(
      `${left.join(", ")}: the value is a placeholder from an example file. Put your own there (\`openssl rand -hex 32\` makes a good secret), or leave the setting out.`,
    );
}

/** @throws Error if the secret can be guessed */
function masterSecret({ TINTYPE_SECRET }: Settings, dataFolder: string): string {
  const secret = TINTYPE_SECRET ?? keptSecret(dataFolder);
  if (isGuessable(secret))
    throw new Error(
      `${TINTYPE_SECRET === undefined ? `The secret in ${join(dataFolder, "secret")}` : "TINTYPE_SECRET"} is too weak: it repeats itself or has too few different characters. Generate one with \`openssl rand -hex 32\`.`,
    );
  return secret;
}

/** @throws Error if the previous secret would weaken the current one, or is invalid */
function previousSecret({ TINTYPE_SECRET, TINTYPE_SECRET_PREVIOUS: previous = "" }: Settings): string {
  if (TINTYPE_SECRET === undefined)
    throw new Error("TINTYPE_SECRET_PREVIOUS is set but TINTYPE_SECRET is not. Set the new secret as TINTYPE_SECRET.");
  if (TINTYPE_SECRET === previous)
    throw new Error(
      "TINTYPE_SECRET and TINTYPE_SECRET_PREVIOUS are equal. Set a new TINTYPE_SECRET (`openssl rand -hex 32`).",
    );
  if (isGuessable(previous))
    throw new Error(
      "TINTYPE_SECRET_PREVIOUS is too weak, so nothing that it signed can be trusted. Leave it out: users then sign in again.",
    );
  return previous;
}

/** @throws Error if the stored secret is incomplete */
function keptSecret(dataFolder: string): string {
  mkdirSync(dataFolder, { recursive: true, mode: 0o700 });
  const path = join(dataFolder, "secret");
  if (!existsSync(path)) keepSecret(path);
  const secret = readFileSync(path, "utf8");
  if (secret.length < minSecretLength)
    throw new Error(
      `The secret in ${path} is truncated. Restore it from a backup, or delete the file: all sessions then end, and guests start anew.`,
    );
  return secret;
}

/** Written atomically, even on a full disk. Two servers that start at once agree on one secret. */
function keepSecret(path: string): void {
  const draft = `${path}.${process.pid}`;
  try {
    writeFileSync(draft, randomBytes(48).toString("base64url"), { mode: 0o600 });
    // Fails if the name exists.
    linkSync(draft, path);
  } catch (problem) {
    if ((problem as NodeJS.ErrnoException).code !== "EEXIST") throw problem; // node:fs throws errno errors only
  } finally {
    rmSync(draft, { force: true });
  }
}
