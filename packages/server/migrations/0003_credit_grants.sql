CREATE TABLE "credit_grants" (
	"id" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"credits" integer NOT NULL,
	"open" integer NOT NULL,
	"ends_at" timestamp with time zone,
	"granted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
ALTER TABLE "allowances" ADD COLUMN "day_given" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "allowances" ADD COLUMN "month_given" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "allowances" ADD COLUMN "total_given" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD COLUMN "given" integer DEFAULT 0 NOT NULL;--> statement-breakpoint
ALTER TABLE "credit_entries" ADD COLUMN "grants" jsonb;--> statement-breakpoint
ALTER TABLE "reservations" ADD COLUMN "grant_id" text;--> statement-breakpoint
CREATE INDEX "credit_grants_holder" ON "credit_grants" USING btree ("holder");--> statement-breakpoint
UPDATE "allowances" a SET
	"day_used" = a."day_used" - e."day_credits", "day_given" = -e."day_credits",
	"month_used" = a."month_used" - e."month_credits", "month_given" = -e."month_credits",
	"total_used" = a."total_used" - e."credits", "total_given" = -e."credits"
FROM (
	SELECT b."holder", sum(c."credits")::int AS "credits",
		coalesce(sum(c."credits") FILTER (WHERE c."day" = b."day"), 0)::int AS "day_credits",
		coalesce(sum(c."credits") FILTER (WHERE to_char(c."day", 'YYYY-MM') = b."month"), 0)::int AS "month_credits"
	FROM "allowances" b JOIN "credit_entries" c ON c."holder" = b."holder" AND c."kind" = 'adjust'
	GROUP BY b."holder"
) e WHERE e."holder" = a."holder";--> statement-breakpoint
UPDATE "credit_entries" SET "given" = -"credits", "credits" = 0 WHERE "kind" = 'adjust';
