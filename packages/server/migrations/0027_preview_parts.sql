CREATE TABLE "preview_parts" (
	"key" text NOT NULL,
	"picture" text NOT NULL,
	"cells" bit varying NOT NULL,
	"since" timestamp with time zone NOT NULL,
	CONSTRAINT "preview_parts_key_picture_pk" PRIMARY KEY("key","picture")
);
--> statement-breakpoint
CREATE INDEX "preview_parts_age" ON "preview_parts" USING btree ("since");