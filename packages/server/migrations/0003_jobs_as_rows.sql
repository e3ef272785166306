CREATE TABLE "job_blobs" (
	"job_id" text PRIMARY KEY NOT NULL,
	"uploader" text,
	"network" text NOT NULL,
	"bytes" bigint NOT NULL,
	"delete_after" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "job_files" (
	"job_id" text NOT NULL,
	"file_index" integer NOT NULL,
	"line" text NOT NULL,
	"class" text NOT NULL,
	"lane" text NOT NULL,
	"tag" integer NOT NULL,
	"state" text NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"worker" text,
	"waiting_since" timestamp with time zone DEFAULT now() NOT NULL,
	"offered_at" timestamp with time zone DEFAULT now() NOT NULL,
	"name" text NOT NULL,
	"size_bytes" integer NOT NULL,
	"format" text,
	"input" text NOT NULL,
	"output" text,
	"progress" double precision DEFAULT 0 NOT NULL,
	"stage" text,
	"source" jsonb,
	"result" jsonb,
	"notes" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"confidence" double precision,
	"reason" text,
	"code" text,
	"delivery" text DEFAULT 'none' NOT NULL,
	CONSTRAINT "job_files_job_id_file_index_pk" PRIMARY KEY("job_id","file_index")
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"classes" text NOT NULL,
	"lease_until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "options" SET DEFAULT '{}'::jsonb;--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "files" SET DEFAULT '[]'::jsonb;--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "runner" SET DEFAULT '';--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "lease_until" SET DEFAULT '9999-12-31';--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "attempt" SET DEFAULT 1;--> statement-breakpoint
ALTER TABLE "idempotency_keys" ADD COLUMN "charged_job_id" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "steps" jsonb;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "inputs" jsonb DEFAULT '[]'::jsonb NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "process" text;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "version" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "files_left" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" ADD COLUMN "files_good" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "job_files" ADD CONSTRAINT "job_files_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "job_blobs_due" ON "job_blobs" USING btree ("delete_after") WHERE "job_blobs"."delete_after" is not null;--> statement-breakpoint
CREATE INDEX "job_blobs_uploads" ON "job_blobs" USING btree ("network") WHERE "job_blobs"."uploader" is not null;--> statement-breakpoint
CREATE INDEX "job_files_turn" ON "job_files" USING btree ("state","class","lane","tag") WHERE "job_files"."state" in ('waiting', 'working');--> statement-breakpoint
CREATE INDEX "job_files_line" ON "job_files" USING btree ("line","class","lane","tag") WHERE "job_files"."state" in ('waiting', 'working');--> statement-breakpoint
CREATE INDEX "jobs_earlier_release" ON "jobs" USING btree ("id") WHERE "jobs"."steps" is null;--> statement-breakpoint
CREATE INDEX "jobs_process" ON "jobs" USING btree ("process") WHERE "jobs"."process" is not null and "jobs"."removed_at" is null;