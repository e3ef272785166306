import { parseArgs } from "node:util";
import { checkSystem, tableOf } from "./composition/system-checks.ts";
import { hideSecrets } from "./secrets.ts";
import { describeStartProblem } from "./start-problem.ts";

const usage = `Usage, with the environment of the server:
  npm run doctor    checks everything that the server needs: configuration, database, clock, Redis, pictures, mail, disk,
                    sandbox, proxy and models. It changes nothing, and exits with 1 if a check fails.
`;

hideSecrets(process.env);
process.exit(
  await examine(process.argv.slice(2)).catch((problem: unknown) => {
    process.stderr.write(`${describeStartProblem(problem)}\n`);
    return 1;
  }),
);

async function examine(args: string[]): Promise<number> {
  const { values } = parseArgs({ args, options: { help: { type: "boolean", short: "h", default: false } } });
  if (values.help) {
    process.stdout.write(usage);
    return 0;
  }
  const findings = await checkSystem(process.env);
  process.stdout.write(`${tableOf(findings)}\n`);
  return findings.some(({ state }) => state === "fail") ? 1 : 0;
}
