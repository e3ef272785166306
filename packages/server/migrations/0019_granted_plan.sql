ALTER TABLE "accounts" ADD COLUMN "granted_plan" text;--> statement-breakpoint
ALTER TABLE "accounts" ADD COLUMN "granted_until" timestamp with time zone;