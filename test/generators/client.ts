/** The calls to test on each generated client. The files in `clients/` implement them with their generator's API. */
export type GeneratedClient = {
  /** Compresses a batch with only the required parameters, and waits. Returns the ZIP. */
  batch(files: File[]): Promise<Blob>;
  /** Starts a compression without waiting. Returns the job's id. */
  begin(file: File): Promise<string>;
  /** The types of a job's events, in order, until it ends. */
  eventTypes(jobId: string): Promise<string[]>;
  stateOf(jobId: string): Promise<string>;
  result(jobId: string): Promise<Blob>;
  /** Cancels a job. Returns its new state. */
  cancel(jobId: string): Promise<string>;
  /** Makes a call that is rejected. Returns the error members that programs act on. */
  refused(file: File): Promise<{ code: string; field: string | undefined; retryable: boolean }>;
};

export type MakeClient = (server: { origin: string; key: string }) => GeneratedClient;
