import { runOperatorCommand } from "./composition/operator-command.ts";
import { hideSecrets } from "./secrets.ts";
import { describeStartProblem } from "./start-problem.ts";

// `npm run admin -- grant EMAIL`, in the server's environment: appoints the desk's operators.
hideSecrets(process.env);
try {
  process.stdout.write(`${await runOperatorCommand(process.argv.slice(2), process.env)}\n`);
} catch (problem) {
  process.stderr.write(`${describeStartProblem(problem)}\n`);
  process.exitCode = 1;
}
