CREATE TABLE "free_engine_use" (
	"key" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"engine_ms" bigint NOT NULL
);
--> statement-breakpoint
DROP INDEX "credit_entries_network";--> statement-breakpoint
ALTER TABLE "job_blobs" ADD COLUMN "holder" text DEFAULT '' NOT NULL;--> statement-breakpoint
ALTER TABLE "job_files" ADD COLUMN "network" text;--> statement-breakpoint
ALTER TABLE "job_files" ADD COLUMN "yields" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "job_files" ADD COLUMN "engine_ms" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "charge_job_id" text;--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "picture_engines" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "model_engines" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
CREATE INDEX "free_engine_use_age" ON "free_engine_use" USING btree ("since");--> statement-breakpoint
CREATE INDEX "credit_entries_day" ON "credit_entries" USING btree ("holder","day");--> statement-breakpoint
CREATE INDEX "jobs_charge" ON "jobs" USING btree ("charge_job_id") WHERE "jobs"."charge_job_id" is not null;--> statement-breakpoint
CREATE INDEX "credit_entries_network" ON "credit_entries" USING btree ("network","day") WHERE "credit_entries"."network" is not null;