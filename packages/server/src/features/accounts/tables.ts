import { deskRoles, paidPlanNames, planNames } from "@tintype/contract";
import { sql } from "drizzle-orm";
import { boolean, index, integer, pgTable, text, uniqueIndex } from "drizzle-orm/pg-core";
import { timestamptz } from "../../platform/db/columns.ts";

/** People, keyed by issuer and subject, never by e-mail. */
export const accounts = pgTable(
  "accounts",
  {
    id: text("id").primaryKey(),
    issuer: text("issuer").notNull(),
    subject: text("subject").notNull(),
    email: text("email").notNull(),
    emailVerified: boolean("email_verified").notNull().default(false),
    name: text("name").notNull(),
    picture: text("picture"),
    /** The plan that the subscription pays for; `planOf` gives the effective plan. */
    paidPlan: text("paid_plan", { enum: planNames }).notNull().default("hobby"),
    /** A plan that an operator granted without payment. After `granted_until` it remains here without effect. */
    grantedPlan: text("granted_plan", { enum: paidPlanNames }),
    grantedUntil: timestamptz("granted_until"),
    createdAt: timestamptz("created_at").notNull(),
    /** Since then an operator refuses the person's sessions, keys and sign-ins. */
    blockedAt: timestamptz("blocked_at"),
  },
  (table) => [
    index("accounts_email").on(sql`lower(${table.email})`),
    uniqueIndex("accounts_issuer_subject").on(table.issuer, table.subject),
  ],
);

/** The account that a row belongs to, and is deleted with. */
export const ofAccount = () =>
  text("account_id")
    .notNull()
    .references(() => accounts.id, { onDelete: "cascade" });

/** Who may create an account where not everyone may. Each is accepted once. */
export const invitations = pgTable(
  "invitations",
  {
    id: text("id").primaryKey(),
    /** SHA-256 of the token in its link. */
    tokenHash: text("token_hash").notNull().unique(),
    /** In lower case. Null: whoever has the link. */
    email: text("email"),
    /** The role at the desk that it gives. */
    role: text("role", { enum: deskRoles }),
    createdAt: timestamptz("created_at").notNull(),
    /** An account, `command`, or `set-up`. */
    createdBy: text("created_by").notNull(),
    expiresAt: timestamptz("expires_at").notNull(),
    revokedAt: timestamptz("revoked_at"),
    acceptedAt: timestamptz("accepted_at"),
    /** The account that it made, with which it is deleted. */
    accountId: text("account_id").references(() => accounts.id, { onDelete: "cascade" }),
  },
  (table) => [index("invitations_account").on(table.accountId), index("invitations_email").on(table.email)],
);

/** A hash of each deleted identity, so that an older token does not recreate the account. */
export const deletedIdentities = pgTable(
  "deleted_identities",
  {
    key: text("key").primaryKey(),
    at: timestamptz("at").notNull(),
  },
  (table) => [index("deleted_identities_age").on(table.at)],
);

// The built-in identity provider's own tables (better-auth prescribes the column names).
export const idpUser = pgTable("idp_user", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: boolean("email_verified").notNull().default(false),
  image: text("image"),
  /** Whether signing in takes more than a password. */
  twoFactorEnabled: boolean("two_factor_enabled").notNull().default(false),
  createdAt: timestamptz("created_at").notNull(),
  updatedAt: timestamptz("updated_at").notNull(),
});
const idpUserId = () =>
  text("user_id")
    .notNull()
    .references(() => idpUser.id, { onDelete: "cascade" });

export const idpSession = pgTable(
  "idp_session",
  {
    id: text("id").primaryKey(),
    expiresAt: timestamptz("expires_at").notNull(),
    token: text("token").notNull().unique(),
    createdAt: timestamptz("created_at").notNull(),
    updatedAt: timestamptz("updated_at").notNull(),
    /** better-auth requires the column; it is always null (provider-hooks.ts). */
    ipAddress: text("ip_address"),
    userAgent: text("user_agent"),
    userId: idpUserId(),
  },
  (table) => [index("idp_session_user").on(table.userId), index("idp_session_expires").on(table.expiresAt)],
);

export const idpAccount = pgTable(
  "idp_account",
  {
    id: text("id").primaryKey(),
    accountId: text("account_id").notNull(),
    providerId: text("provider_id").notNull(),
    userId: idpUserId(),
    accessToken: text("access_token"),
    refreshToken: text("refresh_token"),
    idToken: text("id_token"),
    accessTokenExpiresAt: timestamptz("access_token_expires_at"),
    refreshTokenExpiresAt: timestamptz("refresh_token_expires_at"),
    scope: text("scope"),
    password: text("password"),
    createdAt: timestamptz("created_at").notNull(),
    updatedAt: timestamptz("updated_at").notNull(),
  },
  (table) => [
    index("idp_account_user").on(table.userId),
    index("idp_account_provider").on(table.accountId, table.providerId),
  ],
);

export const idpVerification = pgTable(
  "idp_verification",
  {
    id: text("id").primaryKey(),
    identifier: text("identifier").notNull(),
    value: text("value").notNull(),
    expiresAt: timestamptz("expires_at").notNull(),
    createdAt: timestamptz("created_at"),
    updatedAt: timestamptz("updated_at"),
  },
  (table) => [
    index("idp_verification_identifier").on(table.identifier),
    index("idp_verification_value").on(table.value),
    index("idp_verification_expires").on(table.expiresAt),
  ],
);

/** Passkeys: public keys of WebAuthn credentials. */
export const idpPasskey = pgTable(
  "idp_passkey",
  {
    id: text("id").primaryKey(),
    name: text("name"),
    publicKey: text("public_key").notNull(),
    userId: idpUserId(),
    credentialID: text("credential_id").notNull().unique(),
    counter: integer("counter").notNull(),
    deviceType: text("device_type").notNull(),
    backedUp: boolean("backed_up").notNull(),
    transports: text("transports"),
    createdAt: timestamptz("created_at"),
    aaguid: text("aaguid"),
  },
  (table) => [index("idp_passkey_user").on(table.userId)],
);

/** The secret of an authenticator app (TOTP, RFC 6238) and the recovery codes, encrypted with the provider's key. */
export const idpTwoFactor = pgTable("idp_two_factor", {
  id: text("id").primaryKey(),
  secret: text("secret").notNull(),
  backupCodes: text("backup_codes").notNull(),
  userId: idpUserId().unique(),
  /** False until the app's first code has been confirmed. */
  verified: boolean("verified").notNull().default(true),
  failedVerificationCount: integer("failed_verification_count").notNull().default(0),
  lockedUntil: timestamptz("locked_until"),
});

export const idpJwks = pgTable("idp_jwks", {
  id: text("id").primaryKey(),
  publicKey: text("public_key").notNull(),
  privateKey: text("private_key").notNull(),
  createdAt: timestamptz("created_at").notNull(),
  expiresAt: timestamptz("expires_at"),
  alg: text("alg"),
  crv: text("crv"),
});
