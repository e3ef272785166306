import { compose } from "./composition/compose.ts";
import { readConfig } from "./config.ts";
import { createLog } from "./platform/log.ts";

/** Work under way gets this long to end when the process is told to stop, and the process some seconds more. */
const graceMs = 6_000;
const stopWithinMs = 10_000;

async function main(): Promise<void> {
  const config = readConfig(process.env);
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
    await service.close({ graceMs });
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
}

main().catch((problem: unknown) => {
  process.stderr.write(`${problem instanceof Error ? problem.message : String(problem)}\n`);
  process.exit(1);
});
