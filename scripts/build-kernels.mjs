// Makes a .wasm from each .wat of packages/imaging/src, and writes the text's SHA-256 into it, so that a test can tell
// when one was changed without the other. wabt is fetched for the run: nothing else needs it.
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { appendFileSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../packages/imaging/src/", import.meta.url));
for (const text of globSync("**/*.wat", { cwd: folder }).map((name) => join(folder, name))) {
  const binary = text.replace(/\.wat$/, ".wasm");
  execFileSync("npx", ["--yes", "--package", "wabt@1.0.39", "wat2wasm", text, "--output", binary], {
    stdio: "inherit",
  });
  // A custom section: id 0, its size, the name with its length, the content (WebAssembly core specification, 5.5.3).
  const name = Buffer.from("source-sha256");
  const content = createHash("sha256").update(readFileSync(text)).digest();
  const section = Buffer.concat([Buffer.of(name.length), name, content]);
  appendFileSync(binary, Buffer.concat([Buffer.of(0, section.length), section]));
}
