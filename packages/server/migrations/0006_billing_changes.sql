ALTER TABLE "payments" ADD COLUMN "covers_from" timestamp with time zone;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "refund_minor" integer;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "replaces" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "stop_refunds_from" timestamp with time zone;