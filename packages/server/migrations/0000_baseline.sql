CREATE TABLE "accounts" (
	"id" text PRIMARY KEY NOT NULL,
	"issuer" text NOT NULL,
	"subject" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"name" text NOT NULL,
	"picture" text,
	"plan" text DEFAULT 'hobby' NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"blocked_at" timestamp with time zone,
	"granted_plan" text,
	"granted_until" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "deleted_identities" (
	"key" text PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idp_account" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"provider_id" text NOT NULL,
	"user_id" text NOT NULL,
	"access_token" text,
	"refresh_token" text,
	"id_token" text,
	"access_token_expires_at" timestamp with time zone,
	"refresh_token_expires_at" timestamp with time zone,
	"scope" text,
	"password" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "idp_jwks" (
	"id" text PRIMARY KEY NOT NULL,
	"public_key" text NOT NULL,
	"private_key" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"alg" text,
	"crv" text
);
--> statement-breakpoint
CREATE TABLE "idp_passkey" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text,
	"public_key" text NOT NULL,
	"user_id" text NOT NULL,
	"credential_id" text NOT NULL,
	"counter" integer NOT NULL,
	"device_type" text NOT NULL,
	"backed_up" boolean NOT NULL,
	"transports" text,
	"created_at" timestamp with time zone,
	"aaguid" text,
	CONSTRAINT "idp_passkey_credential_id_unique" UNIQUE("credential_id")
);
--> statement-breakpoint
CREATE TABLE "idp_session" (
	"id" text PRIMARY KEY NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"token" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"ip_address" text,
	"user_agent" text,
	"user_id" text NOT NULL,
	CONSTRAINT "idp_session_token_unique" UNIQUE("token")
);
--> statement-breakpoint
CREATE TABLE "idp_two_factor" (
	"id" text PRIMARY KEY NOT NULL,
	"secret" text NOT NULL,
	"backup_codes" text NOT NULL,
	"user_id" text NOT NULL,
	"verified" boolean DEFAULT true NOT NULL,
	"failed_verification_count" integer DEFAULT 0 NOT NULL,
	"locked_until" timestamp with time zone,
	CONSTRAINT "idp_two_factor_user_id_unique" UNIQUE("user_id")
);
--> statement-breakpoint
CREATE TABLE "idp_user" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"email_verified" boolean DEFAULT false NOT NULL,
	"image" text,
	"created_at" timestamp with time zone NOT NULL,
	"updated_at" timestamp with time zone NOT NULL,
	"two_factor_enabled" boolean DEFAULT false NOT NULL,
	CONSTRAINT "idp_user_email_unique" UNIQUE("email")
);
--> statement-breakpoint
CREATE TABLE "idp_verification" (
	"id" text PRIMARY KEY NOT NULL,
	"identifier" text NOT NULL,
	"value" text NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"created_at" timestamp with time zone,
	"updated_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "audit_lines" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"account_id" text,
	"subscription_id" text,
	"kind" text NOT NULL,
	"detail" jsonb NOT NULL
);
--> statement-breakpoint
CREATE TABLE "gateway_events" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"gateway_id" text,
	"payment_id" text,
	"received_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL
);
--> statement-breakpoint
CREATE TABLE "payments" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"subscription_id" text NOT NULL,
	"plan" text NOT NULL,
	"cycle" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"currency" text NOT NULL,
	"status" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"covers_until" timestamp with time zone,
	"refund" text NOT NULL,
	"refund_tries" integer DEFAULT 0 NOT NULL,
	"refund_due_at" timestamp with time zone,
	"covers_from" timestamp with time zone,
	"refund_minor" integer,
	"refunded_before_minor" integer DEFAULT 0 NOT NULL,
	"is_test" boolean DEFAULT false NOT NULL,
	"is_invoiced" boolean DEFAULT false NOT NULL,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "subscriptions" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"gateway_id" text,
	"gateway_plan_id" text NOT NULL,
	"plan" text NOT NULL,
	"cycle" text NOT NULL,
	"currency" text NOT NULL,
	"amount_minor" integer NOT NULL,
	"state" text NOT NULL,
	"starts_at" timestamp with time zone,
	"paid_through" timestamp with time zone,
	"gateway_status" text NOT NULL,
	"seen_at" timestamp with time zone,
	"stop_reason" text,
	"stopped_at" timestamp with time zone,
	"stop_ends_by" timestamp with time zone,
	"told" text NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone NOT NULL,
	"wake_at" timestamp with time zone,
	"misses" integer DEFAULT 0 NOT NULL,
	"claimed_until" timestamp with time zone,
	"replaces" text,
	"stop_refunds_from" timestamp with time zone,
	"request_id" text,
	"former_amount_minor" integer,
	"move_amount_minor" integer,
	"move_plan_id" text,
	"move_from" timestamp with time zone,
	"move_not_before" timestamp with time zone,
	"move_announced_at" timestamp with time zone,
	"move_state" text,
	CONSTRAINT "subscriptions_gateway_id_unique" UNIQUE("gateway_id")
);
--> statement-breakpoint
CREATE TABLE "contact_messages" (
	"id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"email" text NOT NULL,
	"message" text NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"sent_at" timestamp with time zone,
	"answered_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "allowances" (
	"holder" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"day_used" integer NOT NULL,
	"month" text NOT NULL,
	"month_used" integer NOT NULL,
	"total_used" integer NOT NULL,
	"reserved" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "credit_entries" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"network" text,
	"day" date NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"kind" text NOT NULL,
	"credits" integer NOT NULL,
	"reservation_id" text,
	"job_id" text,
	"file_index" integer,
	"operation" text,
	"file_name" text,
	"reason" text,
	"price" integer DEFAULT 1 NOT NULL,
	"key_id" text,
	"tier" text
);
--> statement-breakpoint
CREATE TABLE "idempotency_keys" (
	"owner" text NOT NULL,
	"key" text NOT NULL,
	"fingerprint" text NOT NULL,
	"job_id" text,
	"answer" jsonb,
	"replays" integer DEFAULT 0 NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"charged_job_id" text,
	CONSTRAINT "idempotency_keys_owner_key_pk" PRIMARY KEY("owner","key")
);
--> statement-breakpoint
CREATE TABLE "kept_counters" (
	"key" text PRIMARY KEY NOT NULL,
	"day" date NOT NULL,
	"day_used" integer NOT NULL,
	"month" text NOT NULL,
	"month_used" integer NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "reservations" (
	"id" text PRIMARY KEY NOT NULL,
	"holder" text NOT NULL,
	"network" text,
	"day" date NOT NULL,
	"open" integer NOT NULL,
	"expires_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "desk_audit" (
	"id" bigserial PRIMARY KEY NOT NULL,
	"at" timestamp with time zone NOT NULL,
	"actor" text NOT NULL,
	"action" text NOT NULL,
	"subject" text NOT NULL,
	"reason" text NOT NULL,
	"before" jsonb,
	"after" jsonb,
	"request_id" text
);
--> statement-breakpoint
CREATE TABLE "operators" (
	"account_id" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"granted_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "billing_details" (
	"account_id" text PRIMARY KEY NOT NULL,
	"name" text NOT NULL,
	"address" text NOT NULL,
	"country" text NOT NULL,
	"region" text NOT NULL,
	"tax_number" text NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoice_series" (
	"name" text PRIMARY KEY NOT NULL,
	"last" integer NOT NULL
);
--> statement-breakpoint
CREATE TABLE "invoices" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"series" text NOT NULL,
	"sequence" integer NOT NULL,
	"number" text NOT NULL,
	"account_id" text,
	"payment_id" text NOT NULL,
	"issued_at" timestamp with time zone NOT NULL,
	"currency" text NOT NULL,
	"total_minor" integer NOT NULL,
	"content" jsonb NOT NULL,
	CONSTRAINT "invoices_number_unique" UNIQUE("number")
);
--> statement-breakpoint
CREATE TABLE "blocked_networks" (
	"key" text PRIMARY KEY NOT NULL,
	"until" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "free_engine_use" (
	"key" text PRIMARY KEY NOT NULL,
	"since" timestamp with time zone NOT NULL,
	"engine_ms" bigint NOT NULL
);
--> statement-breakpoint
CREATE TABLE "job_blobs" (
	"job_id" text PRIMARY KEY NOT NULL,
	"uploader" text,
	"network" text NOT NULL,
	"bytes" bigint NOT NULL,
	"delete_after" timestamp with time zone,
	"removing_until" timestamp with time zone,
	"holder" text DEFAULT '' NOT NULL
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
	"smallest_bytes" integer,
	"network" text,
	"yields" integer DEFAULT 0 NOT NULL,
	"engine_ms" integer DEFAULT 0 NOT NULL,
	CONSTRAINT "job_files_job_id_file_index_pk" PRIMARY KEY("job_id","file_index")
);
--> statement-breakpoint
CREATE TABLE "job_outputs" (
	"job_id" text PRIMARY KEY NOT NULL,
	"url" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"due_at" timestamp with time zone,
	"last_problem" text
);
--> statement-breakpoint
CREATE TABLE "jobs" (
	"id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"tier" text NOT NULL,
	"operation" text NOT NULL,
	"state" text NOT NULL,
	"waited" boolean NOT NULL,
	"charged" integer NOT NULL,
	"replay" boolean NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"finished_at" timestamp with time zone,
	"removed_at" timestamp with time zone,
	"steps" jsonb NOT NULL,
	"inputs" jsonb DEFAULT '[]'::jsonb NOT NULL,
	"process" text,
	"version" integer DEFAULT 0 NOT NULL,
	"files_left" integer DEFAULT 0 NOT NULL,
	"files_good" integer DEFAULT 0 NOT NULL,
	"charge_job_id" text,
	"request_id" text,
	"traceparent" text
);
--> statement-breakpoint
CREATE TABLE "preview_parts" (
	"key" text NOT NULL,
	"picture" text NOT NULL,
	"cells" bit varying NOT NULL,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "preview_parts_key_picture_pk" PRIMARY KEY("key","picture")
);
--> statement-breakpoint
CREATE TABLE "processes" (
	"id" text PRIMARY KEY NOT NULL,
	"role" text NOT NULL,
	"classes" text NOT NULL,
	"lease_until" timestamp with time zone NOT NULL,
	"picture_engines" integer DEFAULT 0 NOT NULL,
	"model_engines" integer DEFAULT 0 NOT NULL,
	"secrets" text,
	"blobs" text
);
--> statement-breakpoint
CREATE TABLE "receipts" (
	"job_id" text PRIMARY KEY NOT NULL,
	"owner" text NOT NULL,
	"body" jsonb NOT NULL,
	"finished_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "api_keys" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"hash" text NOT NULL,
	"mode" text NOT NULL,
	"name" text NOT NULL,
	"last_four" text NOT NULL,
	"scopes" text[] NOT NULL,
	"created_at" timestamp with time zone NOT NULL,
	"expires_at" timestamp with time zone,
	"last_used_at" timestamp with time zone,
	CONSTRAINT "api_keys_hash_unique" UNIQUE("hash")
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
CREATE TABLE "webhook_deliveries" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"endpoint_id" text NOT NULL,
	"job_id" text NOT NULL,
	"url" text NOT NULL,
	"state" text DEFAULT 'waiting' NOT NULL,
	"tries" integer DEFAULT 0 NOT NULL,
	"status" integer,
	"due_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL,
	"last_problem" text
);
--> statement-breakpoint
CREATE TABLE "webhook_endpoints" (
	"id" text PRIMARY KEY NOT NULL,
	"account_id" text NOT NULL,
	"url" text,
	"secret_version" integer DEFAULT 1 NOT NULL,
	"previous_until" timestamp with time zone,
	"disabled_at" timestamp with time zone,
	"created_at" timestamp with time zone NOT NULL
);
--> statement-breakpoint
CREATE TABLE "outbox_mails" (
	"key" text PRIMARY KEY NOT NULL,
	"account_id" text,
	"message" jsonb,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	"tries" integer DEFAULT 0 NOT NULL,
	"failed_at" timestamp with time zone,
	"last_problem" text,
	"request_id" text,
	"sent_at" timestamp with time zone
);
--> statement-breakpoint
CREATE TABLE "sandbox_records" (
	"id" text PRIMARY KEY NOT NULL,
	"kind" text NOT NULL,
	"parent" text,
	"created_at" timestamp with time zone NOT NULL,
	"due_at" timestamp with time zone,
	"body" jsonb NOT NULL
);
--> statement-breakpoint
ALTER TABLE "idp_account" ADD CONSTRAINT "idp_account_user_id_idp_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."idp_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idp_passkey" ADD CONSTRAINT "idp_passkey_user_id_idp_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."idp_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idp_session" ADD CONSTRAINT "idp_session_user_id_idp_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."idp_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "idp_two_factor" ADD CONSTRAINT "idp_two_factor_user_id_idp_user_id_fk" FOREIGN KEY ("user_id") REFERENCES "public"."idp_user"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "operators" ADD CONSTRAINT "operators_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_files" ADD CONSTRAINT "job_files_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "job_outputs" ADD CONSTRAINT "job_outputs_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "api_keys" ADD CONSTRAINT "api_keys_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "recipes" ADD CONSTRAINT "recipes_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_endpoint_id_webhook_endpoints_id_fk" FOREIGN KEY ("endpoint_id") REFERENCES "public"."webhook_endpoints"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_deliveries" ADD CONSTRAINT "webhook_deliveries_job_id_jobs_id_fk" FOREIGN KEY ("job_id") REFERENCES "public"."jobs"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
ALTER TABLE "webhook_endpoints" ADD CONSTRAINT "webhook_endpoints_account_id_accounts_id_fk" FOREIGN KEY ("account_id") REFERENCES "public"."accounts"("id") ON DELETE cascade ON UPDATE no action;--> statement-breakpoint
CREATE INDEX "accounts_email" ON "accounts" USING btree (lower("email"));--> statement-breakpoint
CREATE UNIQUE INDEX "accounts_issuer_subject" ON "accounts" USING btree ("issuer","subject");--> statement-breakpoint
CREATE INDEX "deleted_identities_age" ON "deleted_identities" USING btree ("at");--> statement-breakpoint
CREATE INDEX "idp_account_user" ON "idp_account" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "idp_account_provider" ON "idp_account" USING btree ("account_id","provider_id");--> statement-breakpoint
CREATE INDEX "idp_passkey_user" ON "idp_passkey" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "idp_session_user" ON "idp_session" USING btree ("user_id");--> statement-breakpoint
CREATE INDEX "idp_session_expires" ON "idp_session" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "idp_verification_identifier" ON "idp_verification" USING btree ("identifier");--> statement-breakpoint
CREATE INDEX "idp_verification_value" ON "idp_verification" USING btree ("value");--> statement-breakpoint
CREATE INDEX "idp_verification_expires" ON "idp_verification" USING btree ("expires_at");--> statement-breakpoint
CREATE INDEX "audit_lines_account" ON "audit_lines" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "audit_lines_kind" ON "audit_lines" USING btree ("kind","at");--> statement-breakpoint
CREATE INDEX "gateway_events_due" ON "gateway_events" USING btree ("due_at") WHERE "gateway_events"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "gateway_events_age" ON "gateway_events" USING btree ("received_at");--> statement-breakpoint
CREATE INDEX "payments_account" ON "payments" USING btree ("account_id","at","id");--> statement-breakpoint
CREATE INDEX "payments_at" ON "payments" USING btree ("at") WHERE "payments"."status" <> 'failed';--> statement-breakpoint
CREATE INDEX "payments_subscription" ON "payments" USING btree ("subscription_id");--> statement-breakpoint
CREATE INDEX "payments_request" ON "payments" USING btree ("request_id") WHERE "payments"."request_id" is not null;--> statement-breakpoint
CREATE INDEX "payments_refund" ON "payments" USING btree ("refund_due_at") WHERE "payments"."refund" = 'wanted';--> statement-breakpoint
CREATE INDEX "payments_uninvoiced" ON "payments" USING btree ("at","id") WHERE not "payments"."is_invoiced" and "payments"."status" <> 'failed';--> statement-breakpoint
CREATE INDEX "payments_returned" ON "payments" USING btree ("at","id") WHERE "payments"."is_invoiced" and ("payments"."status" = 'refunded' or "payments"."refund" = 'done');--> statement-breakpoint
CREATE INDEX "subscriptions_account" ON "subscriptions" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "subscriptions_request" ON "subscriptions" USING btree ("request_id") WHERE "subscriptions"."request_id" is not null;--> statement-breakpoint
CREATE INDEX "subscriptions_wake" ON "subscriptions" USING btree ("wake_at") WHERE "subscriptions"."wake_at" is not null;--> statement-breakpoint
CREATE UNIQUE INDEX "subscriptions_open" ON "subscriptions" USING btree ("account_id","plan","cycle") WHERE "subscriptions"."state" = 'open' and "subscriptions"."account_id" is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_unsent" ON "contact_messages" USING btree ("at") WHERE "contact_messages"."sent_at" is null;--> statement-breakpoint
CREATE INDEX "contact_messages_open" ON "contact_messages" USING btree ("at","id") WHERE "contact_messages"."answered_at" is null;--> statement-breakpoint
CREATE INDEX "contact_messages_answered" ON "contact_messages" USING btree ("at","id") WHERE "contact_messages"."answered_at" is not null;--> statement-breakpoint
CREATE INDEX "contact_messages_email" ON "contact_messages" USING btree (lower("email"));--> statement-breakpoint
CREATE INDEX "allowances_networks" ON "allowances" USING btree ("day") WHERE "allowances"."holder" like 'network:%';--> statement-breakpoint
CREATE INDEX "credit_entries_holder" ON "credit_entries" USING btree ("holder","id");--> statement-breakpoint
CREATE INDEX "credit_entries_day" ON "credit_entries" USING btree ("holder","day");--> statement-breakpoint
CREATE INDEX "credit_entries_network" ON "credit_entries" USING btree ("network","day") WHERE "credit_entries"."network" is not null;--> statement-breakpoint
CREATE INDEX "credit_entries_days" ON "credit_entries" USING brin ("day") WITH (autosummarize=true,pages_per_range=32);--> statement-breakpoint
CREATE UNIQUE INDEX "credit_entries_once" ON "credit_entries" USING btree ("job_id","file_index","kind");--> statement-breakpoint
CREATE INDEX "idempotency_keys_age" ON "idempotency_keys" USING btree ("created_at");--> statement-breakpoint
CREATE INDEX "kept_counters_until" ON "kept_counters" USING btree ("until");--> statement-breakpoint
CREATE INDEX "reservations_open" ON "reservations" USING btree ("holder","expires_at") WHERE "reservations"."open" > 0;--> statement-breakpoint
CREATE INDEX "reservations_holder" ON "reservations" USING btree ("holder");--> statement-breakpoint
CREATE INDEX "desk_audit_subject" ON "desk_audit" USING btree ("subject","id");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_sequence" ON "invoices" USING btree ("series","sequence");--> statement-breakpoint
CREATE UNIQUE INDEX "invoices_payment" ON "invoices" USING btree ("payment_id") WHERE "invoices"."kind" = 'invoice';--> statement-breakpoint
CREATE INDEX "invoices_credited" ON "invoices" USING btree ("payment_id") WHERE "invoices"."kind" = 'credit-note';--> statement-breakpoint
CREATE INDEX "invoices_account" ON "invoices" USING btree ("account_id","issued_at","id");--> statement-breakpoint
CREATE INDEX "invoices_issued" ON "invoices" USING btree ("issued_at","id");--> statement-breakpoint
CREATE INDEX "free_engine_use_age" ON "free_engine_use" USING btree ("since");--> statement-breakpoint
CREATE INDEX "job_blobs_due" ON "job_blobs" USING btree ("delete_after") WHERE "job_blobs"."delete_after" is not null;--> statement-breakpoint
CREATE INDEX "job_blobs_uploads" ON "job_blobs" USING btree ("network") WHERE "job_blobs"."uploader" is not null;--> statement-breakpoint
CREATE INDEX "job_files_turn" ON "job_files" USING btree ("state","class","lane","tag") WHERE "job_files"."state" in ('waiting', 'working');--> statement-breakpoint
CREATE INDEX "job_files_failed" ON "job_files" USING btree ("code","job_id") WHERE "job_files"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "job_files_failed_job" ON "job_files" USING btree ("job_id") WHERE "job_files"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "job_files_line" ON "job_files" USING btree ("line","class","lane","tag") WHERE "job_files"."state" in ('waiting', 'working');--> statement-breakpoint
CREATE INDEX "job_outputs_due" ON "job_outputs" USING btree ("due_at") WHERE "job_outputs"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "job_outputs_failed" ON "job_outputs" USING btree ("job_id") WHERE "job_outputs"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "jobs_kept" ON "jobs" USING btree ("finished_at") WHERE "jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "jobs_removed" ON "jobs" USING btree ("finished_at") WHERE "jobs"."removed_at" is not null;--> statement-breakpoint
CREATE INDEX "jobs_open" ON "jobs" USING btree ("state","id") WHERE "jobs"."state" in ('queued', 'running');--> statement-breakpoint
CREATE INDEX "jobs_owner" ON "jobs" USING btree ("owner","id");--> statement-breakpoint
CREATE INDEX "jobs_request" ON "jobs" USING btree ("request_id") WHERE "jobs"."request_id" is not null;--> statement-breakpoint
CREATE INDEX "jobs_charge" ON "jobs" USING btree ("charge_job_id") WHERE "jobs"."charge_job_id" is not null;--> statement-breakpoint
CREATE INDEX "jobs_process" ON "jobs" USING btree ("process") WHERE "jobs"."process" is not null and "jobs"."removed_at" is null;--> statement-breakpoint
CREATE INDEX "preview_parts_age" ON "preview_parts" USING btree ("since");--> statement-breakpoint
CREATE INDEX "receipts_owner" ON "receipts" USING btree ("owner");--> statement-breakpoint
CREATE INDEX "receipts_age" ON "receipts" USING btree ("finished_at");--> statement-breakpoint
CREATE INDEX "api_keys_account" ON "api_keys" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "recipes_name" ON "recipes" USING btree ("account_id",lower("name"));--> statement-breakpoint
CREATE INDEX "webhook_deliveries_due" ON "webhook_deliveries" USING btree ("due_at") WHERE "webhook_deliveries"."state" = 'waiting';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_failed" ON "webhook_deliveries" USING btree ("id") WHERE "webhook_deliveries"."state" = 'failed';--> statement-breakpoint
CREATE INDEX "webhook_deliveries_account" ON "webhook_deliveries" USING btree ("account_id","id");--> statement-breakpoint
CREATE INDEX "webhook_deliveries_job" ON "webhook_deliveries" USING btree ("job_id");--> statement-breakpoint
CREATE INDEX "webhook_endpoints_account" ON "webhook_endpoints" USING btree ("account_id");--> statement-breakpoint
CREATE UNIQUE INDEX "webhook_endpoints_single" ON "webhook_endpoints" USING btree ("account_id") WHERE "webhook_endpoints"."url" is null;--> statement-breakpoint
CREATE INDEX "outbox_mails_due" ON "outbox_mails" USING btree ("due_at") WHERE "outbox_mails"."due_at" is not null;--> statement-breakpoint
CREATE INDEX "outbox_mails_failed" ON "outbox_mails" USING btree ("failed_at") WHERE "outbox_mails"."failed_at" is not null;--> statement-breakpoint
CREATE INDEX "outbox_mails_account" ON "outbox_mails" USING btree ("account_id");--> statement-breakpoint
CREATE INDEX "outbox_mails_sent" ON "outbox_mails" USING btree ("created_at") WHERE "outbox_mails"."due_at" is null;--> statement-breakpoint
CREATE INDEX "sandbox_records_parent" ON "sandbox_records" USING btree ("parent","kind");--> statement-breakpoint
CREATE INDEX "sandbox_records_due" ON "sandbox_records" USING btree ("kind","due_at") WHERE "sandbox_records"."due_at" is not null;--> statement-breakpoint
CREATE FUNCTION "refuse_change_of_audit"() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
	RAISE EXCEPTION 'the audit log of the desk cannot be changed';
END $$;--> statement-breakpoint
CREATE TRIGGER "desk_audit_append_only" BEFORE UPDATE OR DELETE OR TRUNCATE ON "desk_audit" FOR EACH STATEMENT EXECUTE FUNCTION "refuse_change_of_audit"();
