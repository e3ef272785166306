import { createHmac } from "node:crypto";
import { expect, test } from "vitest";
import { deriveKeys } from "../../platform/keys.ts";
import { secretOf } from "./secrets.ts";

test("secrets of webhooks are those of earlier versions: customers' servers hold them", () => {
  const secret = "a secret that is long enough for the tests";
  const { webhooks } = deriveKeys(secret);
  const before = createHmac("sha256", `webhook ${secret}`).update("wh_1 3").digest("base64");
  expect(secretOf({ id: "wh_1", secretVersion: 3, previousUntil: null }, webhooks)).toBe(`whsec_${before}`);
});
