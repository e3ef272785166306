import { examine, tableOf } from "./composition/examine.ts";
import { hideSecrets } from "./secrets.ts";

// `npm run doctor`, with the environment of the server: looks at everything that the server needs, changes nothing, and ends with 1
// where something is wrong.
hideSecrets(process.env);
const findings = await examine(process.env);
process.stdout.write(`${tableOf(findings)}\n`);
process.exit(findings.some(({ state }) => state === "wrong") ? 1 : 0);
