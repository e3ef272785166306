// Compiles the kernels of packages/codecs from AssemblyScript to WebAssembly, as modules that hold the bytes in base64:
// about 5 s, or nothing if neither they nor the compiler have changed.
import { createHash } from "node:crypto";
import { globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";

const folder = fileURLToPath(new URL("../packages/codecs/src/kernels/", import.meta.url));
const output = join(folder, "build");
const options = [
  ...["--enable", "simd", "--runtime", "stub", "--importMemory", "--noExportMemory", "--initialMemory", "1"],
  ...["-O3", "--converge", "--noAssert", "--use", "abort="],
];

const sources = globSync("{assembly,layout}/*.ts", { cwd: folder }).sort();
const compiler = new URL("../node_modules/assemblyscript/package.json", import.meta.url);
const hash = createHash("sha256").update(JSON.stringify(options)).update(readFileSync(compiler));
for (const name of sources) hash.update(name).update(readFileSync(join(folder, name)));
const wanted = hash.digest("hex");

/** Records what the files beside it were built from. */
const stamp = join(output, "made-from");
if (read(stamp) !== wanted) {
  const { main } = await import("assemblyscript/asc");
  mkdirSync(output, { recursive: true });
  for (const name of globSync("assembly/*.ts", { cwd: folder })) {
    const binary = join("build", `${basename(name, ".ts")}.wasm`);
    const { error, stderr } = await main([name, "--baseDir", folder, "--outFile", binary, ...options]);
    if (error || String(stderr)) throw new Error(`${name}: ${stderr}`, { cause: error });
    const code = readFileSync(join(folder, binary));
    writeFileSync(join(folder, `${binary}.js`), `export default "${code.toString("base64")}";\n`);
    rmSync(join(folder, binary));
  }
  writeFileSync(stamp, wanted);
}

function read(path) {
  try {
    return readFileSync(path, "utf8");
  } catch {
    return undefined; // not built yet
  }
}
