/** The calls that each generated client makes: the files in `clients/` write them with what its generator gives them. */
export type GeneratedClient = {
  /** Compresses a batch, with no more than the document demands, and waits for it: the ZIP. */
  batch(files: File[]): Promise<Blob>;
  /** Begins to compress without waiting; the job's id. */
  begin(file: File): Promise<string>;
  /** Each type of event of a job, as they came, until its end. */
  eventTypes(jobId: string): Promise<string[]>;
  stateOf(jobId: string): Promise<string>;
  result(jobId: string): Promise<Blob>;
  /** Cancels; the state that the job is then in. */
  cancel(jobId: string): Promise<string>;
  /** A call that is refused: what programs decide by. */
  refused(file: File): Promise<{ code: string; field: string | undefined; retryable: boolean }>;
};

export type MakeClient = (server: { origin: string; key: string }) => GeneratedClient;
