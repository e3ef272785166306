ALTER TABLE "processes" ADD COLUMN "secrets" text;--> statement-breakpoint
ALTER TABLE "processes" ADD COLUMN "blobs" text;