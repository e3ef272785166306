CREATE TABLE "audit_lines" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"account_id" text,
	"subscription_id" text,
	"kind" text NOT NULL,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "deleted_identities" (
	"key" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gateway_events" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"gateway_id" text,
	"payment_id" text,
	"received_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox_mails" (
	"key" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"message" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"subscription_id" text NOT NULL,
	"plan" text NOT NULL,
	"cycle" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"covers_until" timestamp with time zone,
	"refund" text NOT NULL,
	"refund_tries" integer DEFAULT 0 NOT NULL,
	"refund_due_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_records" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"parent" text,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	"body" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"gateway_id" text,
	"gateway_plan_id" text NOT NULL,
	"plan" text NOT NULL,
	"cycle" text NOT NULL,
	"currency" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"state" text NOT NULL,
	"starts_at" timestamp with time zone,
	"paid_through" timestamp with time zone,
	"gateway_status" text NOT NULL,
	"seen_at" timestamp with time zone,
	"stop_reason" text,
	"stopped_at" timestamp with time zone,
	"stop_ends_by" timestamp with time zone,
	"told" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"wake_at" timestamp with time zone,
	"misses" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamp with time zone,
	CONSTRAINT "subscriptions_gateway_id_unique" UNIQUE("gateway_id")
);
--> statement-breakpoint
CREATE INDEX "audit_lines_account" ON "audit_lines" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "audit_lines_kind" ON "audit_lines" USING btree ("kind","at");--> statement-breakpoint
CREATE INDEX "gateway_events_due" ON "gateway_events" USING btree ("due_at") WHERE "gateway_events"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "gateway_events_age" ON "gateway_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "outbox_mails_due" ON "outbox_mails" USING btree ("due_at") WHERE "outbox_mails"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "payments_account" ON "payments" USING btree ("account_id","at","id");--> statement-breakpoint
CREATE INDEX "payments_subscription" ON "payments" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "payments_refund" ON "payments" USING btree ("refund_due_at") WHERE "payments"."refund" = 'wanted';--> statement-breakpoint
CREATE INDEX "sandbox_records_parent" ON "sandbox_records" USING btree ("parent","kind");--> statement-breakpoint
CREATE INDEX "sandbox_records_due" ON "sandbox_records" USING btree ("kind","due_at") WHERE "sandbox_records"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_account" ON "subscriptions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "subscriptions_wake" ON "subscriptions" USING btree ("wake_at") WHERE "subscriptions"."wake_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_open" ON "subscriptions" USING btree ("account_id","plan","cycle") WHERE "subscriptions"."state" = 'open' and "subscriptions"."account_id" is not null;