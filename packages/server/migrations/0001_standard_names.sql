ALTER TABLE "accounts" RENAME COLUMN "plan" TO "paid_plan";--> statement-breakpoint
ALTER TABLE "subscriptions" RENAME COLUMN "told" TO "sent_stop";--> statement-breakpoint
ALTER TABLE "job_files" RENAME COLUMN "line" TO "queue_key";--> statement-breakpoint
ALTER TABLE "job_files" RENAME COLUMN "tag" TO "priority";--> statement-breakpoint
ALTER INDEX "job_files_line" RENAME TO "job_files_queue";--> statement-breakpoint
ALTER INDEX "job_files_turn" RENAME TO "job_files_priority";--> statement-breakpoint
ALTER TABLE "idempotency_keys" RENAME COLUMN "answer" TO "response";--> statement-breakpoint
UPDATE "credit_entries" SET "kind" = 'refund' WHERE "kind" = 'give-back';--> statement-breakpoint
ALTER TABLE "desk_audit" RENAME TO "admin_audit";--> statement-breakpoint
ALTER SEQUENCE "desk_audit_id_seq" RENAME TO "admin_audit_id_seq";--> statement-breakpoint
ALTER INDEX "desk_audit_pkey" RENAME TO "admin_audit_pkey";--> statement-breakpoint
ALTER INDEX "desk_audit_subject" RENAME TO "admin_audit_subject";--> statement-breakpoint
ALTER TRIGGER "desk_audit_append_only" ON "admin_audit" RENAME TO "admin_audit_append_only";--> statement-breakpoint
CREATE OR REPLACE FUNCTION "refuse_change_of_audit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the audit log of operators cannot be changed';
END $$;
