CREATE TABLE "receipts" (
	"job_id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"body" jsonb NOT NULL,
	"finished_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "recipes" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"name" text NOT NULL,
	"steps" jsonb NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "credit_entries" ADD COLUMN "price" integer DEFAULT 1 NOT NULL;--> statement-breakpoint
ALTER TABLE "job_files" ADD COLUMN "smallest_bytes" integer;--> statement-breakpoint
ALTER TABLE "recipes" ADD CONSTRAINT "recipes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "receipts_owner" ON "receipts" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "receipts_age" ON "receipts" USING btree ("finished_at");--> statement-breakpoint
CREATE UNIQUE INDEX "recipes_name" ON "recipes" USING btree ("account_id",lower("name"));