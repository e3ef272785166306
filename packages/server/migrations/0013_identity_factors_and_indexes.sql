CREATE TABLE "idp_passkey" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text,
	"public_key" text NOT NULL,
	"user_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"counter" integer NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" text,
	"created_at" timestamp with time zone,
	"aaguid" text,
	CONSTRAINT "idp_passkey_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "idp_two_factor" (
	"id" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"user_id" text NOT NULL,
	"verified" boolean DEFAULT true NOT NULL,
	"failed_verification_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	CONSTRAINT "idp_two_factor_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
ALTER TABLE "idp_user" ADD COLUMN "two_factor_enabled" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "idp_passkey" ADD CONSTRAINT "idp_passkey_user_id_idp_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."idp_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idp_two_factor" ADD CONSTRAINT "idp_two_factor_user_id_idp_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."idp_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "idp_passkey_user" ON "idp_passkey" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "idp_account_user" ON "idp_account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "idp_account_provider" ON "idp_account" USING btree ("account_id","provider_id");--> statement-breakpoint
CREATE INDEX "idp_session_user" ON "idp_session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "idp_session_expires" ON "idp_session" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "idp_verification_identifier" ON "idp_verification" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "idp_verification_value" ON "idp_verification" USING btree ("value");--> statement-breakpoint
CREATE INDEX "idp_verification_expires" ON "idp_verification" USING btree ("expires_at");--> statement-breakpoint
UPDATE "idp_session" SET "ip_address" = NULL WHERE "ip_address" IS NOT NULL;
