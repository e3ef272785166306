ALTER TABLE "payments" ADD COLUMN "request_id" text;--> statement-breakpoint
ALTER TABLE "subscriptions" ADD COLUMN "request_id" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "request_id" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "traceparent" text;--> statement-breakpoint
ALTER TABLE "outbox_mails" ADD COLUMN "request_id" text;--> statement-breakpoint
CREATE INDEX "payments_request" ON "payments" USING btree ("request_id") WHERE "payments"."request_id" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_request" ON "subscriptions" USING btree ("request_id") WHERE "subscriptions"."request_id" is not null;--> statement-breakpoint
CREATE INDEX "jobs_request" ON "jobs" USING btree ("request_id") WHERE "jobs"."request_id" is not null;