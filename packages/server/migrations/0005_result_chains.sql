CREATE TABLE "result_chains" (
	"job_id" text NOT NULL,
	"file_index" integer NOT NULL,
	"owner" text NOT NULL,
	"steps" integer NOT NULL,
	"until" timestamp with time zone NOT NULL,
	CONSTRAINT "result_chains_job_id_file_index_pk" PRIMARY KEY("job_id","file_index")
);
--> statement-breakpoint
CREATE TABLE "result_digests" (
	"digest" text PRIMARY KEY NOT NULL,
	"job_id" text NOT NULL,
	"file_index" integer NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "job_files" ADD COLUMN "chain_job_id" text;--> statement-breakpoint
ALTER TABLE "job_files" ADD COLUMN "chain_index" integer;--> statement-breakpoint
ALTER TABLE "result_digests" ADD CONSTRAINT "result_digests_chain" FOREIGN KEY ("job_id","file_index") REFERENCES "public"."result_chains"("job_id","file_index") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "result_chains_owner" ON "result_chains" USING btree ("owner","until");--> statement-breakpoint
CREATE INDEX "result_chains_age" ON "result_chains" USING btree ("until");--> statement-breakpoint
CREATE INDEX "result_digests_chain_file" ON "result_digests" USING btree ("job_id","file_index");--> statement-breakpoint
CREATE INDEX "result_digests_age" ON "result_digests" USING btree ("until");