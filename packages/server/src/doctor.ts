import { checkSystem, tableOf } from "./composition/system-checks.ts";
import { hideSecrets } from "./secrets.ts";

// `npm run doctor`, in the server's environment: checks everything that the server needs, changes nothing, and exits with
// 1 if a check fails.
hideSecrets(process.env);
const findings = await checkSystem(process.env);
process.stdout.write(`${tableOf(findings)}\n`);
process.exit(findings.some(({ state }) => state === "fail") ? 1 : 0);
