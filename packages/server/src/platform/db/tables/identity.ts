import { boolean, pgTable, text } from "drizzle-orm/pg-core";
import { moment } from "./moment.ts";

// The built-in identity provider's own tables (better-auth names their columns).
export const idpUser = pgTable("idp_user", {
  id: text("id").primaryKey(),
  name: text("name").notNull(),
  email: text("email").notNull().unique(),
  emailVerified: boolean("email_verified").notNull().default(false),
  image: text("image"),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
});
const idpUserId = () =>
  text("user_id")
    .notNull()
    .references(() => idpUser.id, { onDelete: "cascade" });

export const idpSession = pgTable("idp_session", {
  id: text("id").primaryKey(),
  expiresAt: moment("expires_at").notNull(),
  token: text("token").notNull().unique(),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
  ipAddress: text("ip_address"),
  userAgent: text("user_agent"),
  userId: idpUserId(),
});

export const idpAccount = pgTable("idp_account", {
  id: text("id").primaryKey(),
  accountId: text("account_id").notNull(),
  providerId: text("provider_id").notNull(),
  userId: idpUserId(),
  accessToken: text("access_token"),
  refreshToken: text("refresh_token"),
  idToken: text("id_token"),
  accessTokenExpiresAt: moment("access_token_expires_at"),
  refreshTokenExpiresAt: moment("refresh_token_expires_at"),
  scope: text("scope"),
  password: text("password"),
  createdAt: moment("created_at").notNull(),
  updatedAt: moment("updated_at").notNull(),
});

export const idpVerification = pgTable("idp_verification", {
  id: text("id").primaryKey(),
  identifier: text("identifier").notNull(),
  value: text("value").notNull(),
  expiresAt: moment("expires_at").notNull(),
  createdAt: moment("created_at"),
  updatedAt: moment("updated_at"),
});

export const idpJwks = pgTable("idp_jwks", {
  id: text("id").primaryKey(),
  publicKey: text("public_key").notNull(),
  privateKey: text("private_key").notNull(),
  createdAt: moment("created_at").notNull(),
  expiresAt: moment("expires_at"),
  alg: text("alg"),
  crv: text("crv"),
});
