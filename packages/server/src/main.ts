import "./platform/db/resolve-drizzle.ts";
import { hideSecrets } from "./secrets.ts";
import { describeStartProblem } from "./start-problem.ts";

// Not where another program imports this one: it would be started anew in its place.
if (import.meta.main) hideSecrets(process.env);
// Only now, since what it imports takes most of the time of a start.
const { serve } = await import("./serve.ts");
await serve().catch((problem: unknown) => {
  process.stderr.write(`${describeStartProblem(problem)}\n`);
  process.exit(1);
});
