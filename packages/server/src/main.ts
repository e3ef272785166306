import { checkKernels } from "@tintype/imaging";
import { compose } from "./composition/compose.ts";
import { takeConfig } from "./config.ts";
import { createLog } from "./platform/log.ts";

/** Of the time to stop in, what remains to hand back what did not end, and to close. */
const closingShare = 0.3;
const mostClosingMs = 4_000;

async function main(): Promise<void> {
  checkKernels();
  // Files of the server are for its own user, also those that a library writes.
  process.umask(0o077);
  const config = takeConfig(process.env);
  const logger = createLog(config.TINTYPE_LOG_LEVEL);
  const service = await compose({ config, logger });
  await service.app.listen({ port: config.PORT, host: config.HOST });
  logger.info({ node: process.version, origin: config.origin }, "listening");
  process.stdout.write(`\nTintype is ready: ${config.origin}\n\n`);

  let isStopping = false;
  const stop = async () => {
    // Told twice, it does not wait.
    if (isStopping) process.exit(1);
    isStopping = true;
    const withinMs = config.TINTYPE_STOP_WITHIN_S * 1000;
    setTimeout(() => process.exit(1), withinMs).unref();
    await service.close({ graceMs: withinMs - Math.min(mostClosingMs, withinMs * closingShare) });
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());
}

main().catch((problem: unknown) => {
  process.stderr.write(`${problem instanceof Error ? problem.message : String(problem)}\n`);
  process.exit(1);
});
