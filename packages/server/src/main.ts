import { compose } from "./composition/compose.ts";
import { takeConfig } from "./config.ts";
import { createLog } from "./platform/log.ts";

/** Work under way gets this long to end when the process is told to stop. */
const stopWithinMs = 10_000;

async function main(): Promise<void> {
  // What the server writes is for its own user, also what a library writes.
  process.umask(0o077);
  const config = takeConfig(process.env);
  const logger = createLog(config.TINTYPE_LOG_LEVEL);
  const service = await compose({ config, logger });
  await service.app.listen({ port: config.PORT, host: config.HOST });
  logger.info({ node: process.version, origin: config.origin }, "listening");
  process.stdout.write(`\nTintype is ready: ${config.origin}\n\n`);

  let isStopping = false;
  const stop = async () => {
    if (isStopping) return;
    isStopping = true;
    setTimeout(() => process.exit(1), stopWithinMs).unref();
    await service.close();
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
}

main().catch((problem: unknown) => {
  process.stderr.write(`${problem instanceof Error ? problem.message : String(problem)}\n`);
  process.exit(1);
});
