import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { DomainError } from "@tintype/contract";
import { expect, test } from "vitest";
import { decodeBase64, splitJson, splitUrlEncoded } from "./base64-field.ts";

const field = "image_file_b64";
const picture = Buffer.from(Uint8Array.from({ length: 1000 }, (_, i) => (i * 151) % 256));
const base64 = picture.toString("base64");

/** In pieces of `size` bytes. */
function* chunksOf(body: string, size: number) {
  const bytes = Buffer.from(body);
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
}
const sizes = [1, 2, 3, 7, 64, 1_000_000];

async function split(by: typeof splitJson, body: string, size: number) {
  const others: string[] = [];
  const read = await buffer(Readable.from(decodeBase64(by(Readable.from(chunksOf(body, size)), { field, others }))));
  return { read, others: Buffer.from(others.join(""), "latin1").toString() };
}

const escaped = (letters: RegExp) =>
  base64.replace(letters, (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`);
test.each([
  ["as it is", base64],
  ["with the slashes of PHP", base64.replaceAll("/", "\\/")],
  ["with the escapes of .NET", escaped(/[+/]/g)],
  ["with every letter escaped", escaped(/./g)],
  ["with line breaks", base64.replace(/.{76}/g, "$&\\r\\n")],
  ["as a data URL", `data:image/png;base64,${base64}`],
  ["as a data URL with the slashes of PHP", `data:image\\/png;base64,${base64.replaceAll("/", "\\/")}`],
])("base64 in JSON %s is the same picture, however it is cut", async (_, text) => {
  const rest = { nested: { [field]: "x" }, name: 'ein Löwe " \\', list: [field, { a: field }], size: "auto" };
  const body = `{"a": "${field}", ${JSON.stringify(rest).slice(1, -1)} ,\n "${field}" : "${text}","last":true}`;
  for (const size of sizes) {
    const { read, others } = await split(splitJson, body, size);
    expect(read.equals(picture), `${size}`).toBe(true);
    expect(JSON.parse(others)).toEqual({ a: field, ...rest, [field]: "", last: true });
  }
});

test("base64 in a form is the same picture, however it is cut and escaped", async () => {
  for (const text of [encodeURIComponent(base64), base64, encodeURIComponent(`data:image/png;base64,${base64}`)])
    for (const body of [`${field}=${text}&size=auto&x=${field}%3D`, `size=auto&x=${field}%3D&${field}=${text}`])
      for (const size of sizes) {
        const { read, others } = await split(splitUrlEncoded, body, size);
        expect(read.equals(picture), `${size}`).toBe(true);
        const fields = Object.fromEntries(new URLSearchParams(others));
        expect(fields).toEqual({ size: "auto", x: `${field}=`, [field]: "" });
      }
});

test.each([
  [splitJson, `{"${field}":"aGk=","${field}":"aGk="}`, "invalid-request"],
  [splitUrlEncoded, `${field}=aGk%3D&${field}=aGk%3D`, "invalid-request"],
  [splitJson, `{"${field}":"a\\xk="}`, "invalid-request"],
  [splitJson, `{"${field}":"aGk\\"}`, "invalid-request"],
  [splitJson, `{"other":"${"x".repeat(200_000)}"}`, "too-large"],
  [splitUrlEncoded, `other=${"x".repeat(200_000)}`, "too-large"],
] as const)("what cannot be split is refused (%#)", async (by, body, code) => {
  for (const size of [3, 1_000_000]) {
    const problem = await split(by, body, size).then(
      ({ others }) => new DomainError(isJson(others) ? "internal" : "invalid-request"),
      (thrown: unknown) => thrown,
    );
    expect(problem).toMatchObject({ code });
  }
});

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}
