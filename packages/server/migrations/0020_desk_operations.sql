CREATE TABLE "blocked_networks" (
	"key" text PRIMARY KEY NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "job_outputs" ADD COLUMN "last_problem" text;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD COLUMN "last_problem" text;--> statement-breakpoint
ALTER TABLE "outbox_mails" ADD COLUMN "last_problem" text;--> statement-breakpoint
CREATE INDEX "allowances_networks" ON "allowances" USING btree ("day") WHERE "allowances"."holder" like 'network:%';--> statement-breakpoint
CREATE INDEX "job_files_failed" ON "job_files" USING btree ("code","job_id") WHERE "job_files"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "job_outputs_failed" ON "job_outputs" USING btree ("job_id") WHERE "job_outputs"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("state","id") WHERE "jobs"."state" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("id") WHERE "webhook_deliveries"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "outbox_mails_failed" ON "outbox_mails" USING btree ("failed_at") WHERE "outbox_mails"."failed_at" is not null;