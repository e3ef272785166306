import "./platform/db/resolve-drizzle.ts";
import { hideSecrets } from "./secrets.ts";
import { describeStartProblem } from "./start-problem.ts";

// Not when another program imports this module: it would be replaced by a new process.
if (import.meta.main) hideSecrets(process.env);
// Imported late, since these modules take most of the startup time.
const { serve } = await import("./serve.ts");
await serve().catch((problem: unknown) => {
  process.stderr.write(`${describeStartProblem(problem)}\n`);
  process.exit(1);
});
