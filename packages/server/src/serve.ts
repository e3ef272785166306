import { checkKernels } from "@tintype/imaging";
import { compose } from "./composition/compose.ts";
import { takeConfig } from "./config.ts";
import { createLog } from "./platform/log.ts";
import { releaseVersion } from "./platform/release.ts";

/** The share of the shutdown time kept for releasing unfinished work and closing. */
const closingShare = 0.3;
const maxClosingMs = 4_000;
/** Ctrl-C reaches the server both from the terminal and from npm: signals within this time count as one. */
const oneSignalMs = 1_000;

/** Starts the configured service, and stops it on a signal. */
export async function serve(): Promise<void> {
  checkKernels();
  // The server's files are for its own user, including those that a library writes.
  process.umask(0o077);
  const config = takeConfig(process.env);
  const logger = createLog(config.TINTYPE_LOG_LEVEL);
  const service = await compose({ config, logger });
  let stopRequestedAt: number | undefined;
  const stop = async () => {
    // A second signal exits at once.
    if (stopRequestedAt !== undefined && performance.now() - stopRequestedAt > oneSignalMs) process.exit(1);
    if (stopRequestedAt !== undefined) return;
    stopRequestedAt = performance.now();
    const withinMs = config.TINTYPE_STOP_WITHIN_S * 1000;
    setTimeout(() => process.exit(1), withinMs).unref();
    try {
      await service.close({ graceMs: withinMs - Math.min(maxClosingMs, withinMs * closingShare) });
    } catch (problem) {
      logger.error({ err: problem }, "the process could not close what it had opened");
      process.exit(1);
    }
    process.exit(0);
  };
  for (const signal of ["SIGTERM", "SIGINT"] as const) process.on(signal, () => void stop());

  await service.app.listen({ port: config.PORT, host: config.HOST }).catch(async (problem: unknown) => {
    // Its worker may already have claimed files: they are released, and count no try.
    await service.close();
    throw problem;
  });
  logger.info({ version: releaseVersion, node: process.version, origin: config.origin }, "listening");
  process.stdout.write(`\nTintype is ready: ${config.origin}\n\n`);
}
