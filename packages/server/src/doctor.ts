import { examine, tableOf } from "./composition/examine.ts";
import { hideSecrets } from "./secrets.ts";

// `npm run doctor`, in the server's environment: checks everything that the server needs, changes nothing, and exits with
// 1 if something is wrong.
hideSecrets(process.env);
const findings = await examine(process.env);
process.stdout.write(`${tableOf(findings)}\n`);
process.exit(findings.some(({ state }) => state === "wrong") ? 1 : 0);
