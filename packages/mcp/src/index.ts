export { type HttpConfig, type McpConfig, readConfig, UsageFault } from "./config.ts";
export { main } from "./main.ts";
