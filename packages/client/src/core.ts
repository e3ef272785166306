// What the client does and the generated calls are not needed for: Tintype's own site uses it too.
export { readEvents, resumeEvents, type ServerEvent } from "./event-stream.ts";
export { backoffMs, retry, sleep } from "./retry.ts";
