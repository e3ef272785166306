UPDATE "jobs" SET "steps" = jsonb_build_array(jsonb_build_object('operation', "operation", 'options', "options")) WHERE "steps" IS NULL;--> statement-breakpoint
DROP INDEX "jobs_unfinished";--> statement-breakpoint
DROP INDEX "jobs_earlier_release";--> statement-breakpoint
ALTER TABLE "jobs" ALTER COLUMN "steps" SET NOT NULL;--> statement-breakpoint
ALTER TABLE "jobs" DROP COLUMN "fast";--> statement-breakpoint
ALTER TABLE "jobs" DROP COLUMN "options";--> statement-breakpoint
ALTER TABLE "jobs" DROP COLUMN "files";--> statement-breakpoint
ALTER TABLE "jobs" DROP COLUMN "runner";--> statement-breakpoint
ALTER TABLE "jobs" DROP COLUMN "lease_until";--> statement-breakpoint
ALTER TABLE "jobs" DROP COLUMN "attempt";