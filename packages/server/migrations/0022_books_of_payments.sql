ALTER TABLE "payments" ADD COLUMN "is_test" boolean DEFAULT false NOT NULL;--> statement-breakpoint
ALTER TABLE "payments" ADD COLUMN "is_invoiced" boolean DEFAULT false NOT NULL;--> statement-breakpoint
UPDATE "payments" SET "is_test" = true WHERE EXISTS (SELECT 1 FROM "sandbox_records" WHERE "sandbox_records"."id" = "payments"."id" AND "sandbox_records"."kind" = 'payment');--> statement-breakpoint
UPDATE "payments" SET "is_invoiced" = true WHERE EXISTS (SELECT 1 FROM "invoices" WHERE "invoices"."payment_id" = "payments"."id" AND "invoices"."kind" = 'invoice');--> statement-breakpoint
CREATE INDEX "payments_uninvoiced" ON "payments" USING btree ("at","id") WHERE not "payments"."is_invoiced" and "payments"."status" <> 'failed';--> statement-breakpoint
CREATE INDEX "payments_returned" ON "payments" USING btree ("at","id") WHERE "payments"."is_invoiced" and ("payments"."status" = 'refunded' or "payments"."refund" = 'done');