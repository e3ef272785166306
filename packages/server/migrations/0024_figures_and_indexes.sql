DROP INDEX "contact_messages_at";--> statement-breakpoint
ALTER TABLE "credit_entries" ADD COLUMN "tier" text;--> statement-breakpoint
CREATE INDEX "deleted_identities_age" ON "deleted_identities" USING btree ("at");--> statement-breakpoint
CREATE INDEX "payments_at" ON "payments" USING btree ("at") WHERE "payments"."status" <> 'failed';--> statement-breakpoint
CREATE INDEX "contact_messages_open" ON "contact_messages" USING btree ("at","id") WHERE "contact_messages"."answered_at" is null;--> statement-breakpoint
CREATE INDEX "contact_messages_answered" ON "contact_messages" USING btree ("at","id") WHERE "contact_messages"."answered_at" is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_email" ON "contact_messages" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "credit_entries_days" ON "credit_entries" USING brin ("day") WITH (autosummarize=true,pages_per_range=32);--> statement-breakpoint
CREATE INDEX "reservations_holder" ON "reservations" USING btree ("holder");--> statement-breakpoint
CREATE INDEX "job_files_failed_job" ON "job_files" USING btree ("job_id") WHERE "job_files"."state" = 'failed';