// The parts of the client that do not need the generated calls: Tintype's own site uses them too.
export { readEvents, resumeEvents, type ServerEvent } from "./event-stream.ts";
export { backoffMs, retry, sleep } from "./retry.ts";
