import { checkKernels } from "@tintype/imaging";
import { compose } from "./composition/compose.ts";
import { takeConfig } from "./config.ts";
import { createLog } from "./platform/log.ts";
import { releaseVersion } from "./platform/release.ts";

/** Of the time to stop in, what remains to hand back what did not end, and to close. */
const closingShare = 0.3;
const mostClosingMs = 4_000;
/** Ctrl-C reaches the server from the terminal and from npm as well: signals within so long are one. */
const oneSignalMs = 500;

/** Starts the service of the environment's configuration, and stops it when it is told to. */
export async function serve(): Promise<void> {
  checkKernels();
  // Files of the server are for its own user, also those that a library writes.
  process.umask(0o077);
  const config = takeConfig(process.env);
  const logger = createLog(config.TINTYPE_LOG_LEVEL);
  const service = await compose({ config, logger });
  let toldAt: number | undefined;
  const stop = async () => {
    // Told twice, it does not wait.
    if (toldAt !== undefined && performance.now() - toldAt > oneSignalMs) process.exit(1);
    if (toldAt !== undefined) return;
    toldAt = performance.now();
    const withinMs = config.TINTYPE_STOP_WITHIN_S * 1000;
    setTimeout(() => process.exit(1), withinMs).unref();
    try {
      await service.close({ graceMs: withinMs - Math.min(mostClosingMs, withinMs * closingShare) });
    } catch (problem) {
      logger.error({ err: problem }, "the process could not close what it had opened");
      process.exit(1);
    }
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());

  await service.app.listen({ port: config.PORT, host: config.HOST }).catch(async (problem: unknown) => {
    // Its worker may have taken files up already: they are handed back, and count no try.
    await service.close();
    throw problem;
  });
  logger.info({ version: releaseVersion, node: process.version, origin: config.origin }, "listening");
  process.stdout.write(`\nTintype is ready: ${config.origin}\n\n`);
}
