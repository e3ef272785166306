import { runOperatorCommand } from "./composition/operator-command.ts";
import { hideSecrets } from "./secrets.ts";
import { describeStartProblem } from "./start-problem.ts";

// `npm run admin -- grant EMAIL`, with the environment of the server: names the operators of the desk.
hideSecrets(process.env);
try {
  process.stdout.write(`${await runOperatorCommand(process.argv.slice(2), process.env)}\n`);
} catch (problem) {
  process.stderr.write(`${describeStartProblem(problem)}\n`);
  process.exitCode = 1;
}
