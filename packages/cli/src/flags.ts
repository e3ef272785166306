/** The flags that runs have in common, as commander gives them; the operation's own stand beside them. */
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
