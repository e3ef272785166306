/** The fake has no types of its own. */
declare module "@20minutes/s3rver" {
  import type { Server } from "node:http";
  export default class S3rver {
    constructor(options: {
      address: string;
      port: number;
      directory: string;
      silent: boolean;
      vhostBuckets: boolean;
      allowMismatchedSignatures: boolean;
    });
    readonly httpServer: Server | undefined;
    run(): Promise<{ address: string; port: number }>;
  }
}
