CREATE TABLE "kept_counters" (
	"key" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"day_used" integer NOT NULL,
	"month" text NOT NULL,
	"month_used" integer NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE INDEX "kept_counters_until" ON "kept_counters" USING btree ("until");