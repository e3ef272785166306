/** The flags that runs have in common, as commander parses them, next to the operation's own. */
export type RunFlags = {
  server?: string;
  offline?: boolean;
  out?: string;
  suffix?: string;
  inPlace?: boolean;
  concurrency?: string;
  dryRun?: boolean;
  json?: boolean;
  watch?: boolean;
  failOnLarger?: boolean;
  cache?: boolean;
  [option: string]: unknown;
};
