/**
 * `newId("job")` is `job_` and 26 letters: the time of its making in ms, which sorts ids by age, then 80 random
 * bits against guessing (the ULID's layout).
 */
export declare function newId(prefix: string): string;
