import { hkdfSync } from "node:crypto";
import { expect, test } from "vitest";
import { deriveKeys } from "./keys.ts";

const secret = "a secret that is long enough for the tests";

test("no two purposes share a key, and none is the secret itself", () => {
  const keys = Object.values(deriveKeys(secret)).map(String);
  expect(new Set([...keys, secret]).size).toBe(keys.length + 1);
  const others = Object.values(deriveKeys(`${secret}.`)).map(String);
  for (const key of keys) expect(others).not.toContain(key);
});

test("the key of receipts is that of earlier versions: receipts are checked years later", () => {
  expect(deriveKeys(secret).receipts).toEqual(
    Buffer.from(hkdfSync("sha256", secret, "", "tintype receipts, Ed25519", 32)),
  );
});
