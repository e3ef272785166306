// Fetches what the catalogue does not bring along: `npm run models`. Once it is there, it is only checked.
//
//   node scripts/fetch-models.mjs [--directory=DIRECTORY] [PLACE...]
//
// The directory is the server's own: TINTYPE_MODELS, or `models` in TINTYPE_DATA, or .tintype/models. Ends with status 1
// where a model cannot be had; the product runs without it, and the operation that needs it says so.
import { join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { catalogue, fetchModel } from "../packages/imaging/src/index.ts";

const { values, positionals } = parseArgs({ allowPositionals: true, options: { directory: { type: "string" } } });
const { TINTYPE_MODELS, TINTYPE_DATA } = process.env;
const directory = resolve(values.directory || TINTYPE_MODELS || join(TINTYPE_DATA || ".tintype", "models"));
// Under `npm run`, the very npm that runs us: the same registry and settings.
const npmCli = process.env["npm_execpath"];
const npm = npmCli?.endsWith(".js") ? { command: process.execPath, args: [npmCli] } : undefined;

for (const [place, row] of Object.entries(catalogue)) {
  if (row.source.kind !== "npm" || (positionals.length > 0 && !positionals.includes(place))) continue;
  console.log(`${place}: ${row.name}, ${Number((row.sizeBytes / 1e6).toPrecision(2))} MB, ${row.licence}`);
  try {
    console.log(`  ${await fetchModel(row, { directory, ...(npm ? { npm } : {}) })}`);
  } catch (problem) {
    console.error(
      `  not fetched: ${problem.message} All else works without it; \`npm run models\` tries again, and the server ` +
        "needs no restart when it is there.",
    );
    process.exitCode = 1;
  }
}
