/**
 * Makes this process the only one to use the folder; answers how to let go.
 * A lock whose process is gone (killed, machine restarted) is taken over. A process id can be given out again, so
 * that on Linux the moment the process began is compared too.
 * @throws Error when a living process holds it
 */
export declare function lockFolder(folder: string): Promise<() => Promise<void>>;
