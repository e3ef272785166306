/** What a failed system call means to whoever starts the server. */
const meanings: Record<string, string> = {
  ENOSPC: "The disk is full. Free some space, then start again",
  EDQUOT: "The disk quota is used up. Free some space, then start again",
  EROFS: "The disk is read-only. Set TINTYPE_DATA to another folder",
  EACCES: "The server's user lacks the permission. Grant it, or set TINTYPE_DATA to another folder",
  EPERM: "The server's user lacks the permission. Grant it, or set TINTYPE_DATA to another folder",
  ENOENT: "The file or folder does not exist and cannot be created",
  ENOTDIR: "Part of this path is a file",
  EADDRINUSE: "Another program already listens there. Stop it, or set another PORT",
  EADDRNOTAVAIL: "This machine does not have that address. Check HOST",
  EMFILE: "Too many open files. Raise the limit (ulimit -n, LimitNOFILE)",
};
/** Numbers that the embedded database's file system throws, in objects that are not Errors (WASI preview 1, `errno`). */
const numbers: Record<number, string> = {
  2: "EACCES",
  19: "EDQUOT",
  33: "EMFILE",
  44: "ENOENT",
  51: "ENOSPC",
  63: "EPERM",
  69: "EROFS",
};

/** An error thrown at startup, as text that a person can act on. */
export function describeStartProblem(thrown: unknown): string {
  if (typeof thrown !== "object" || thrown === null) return String(thrown);
  const { code, errno, path, address, port } = thrown as Partial<NodeJS.ErrnoException> & {
    address?: string;
    port?: number;
  }; // read where they are there
  const name = typeof code === "string" ? code : typeof errno === "number" ? numbers[errno] : undefined;
  const meaning = name === undefined ? undefined : meanings[name];
  const where = path ?? (port === undefined ? undefined : `${address ?? ""}:${port}`);
  if (meaning && (!(thrown instanceof Error) || "syscall" in thrown))
    return `${where ? `${where}: ` : ""}${meaning} (${name}).`;
  if (thrown instanceof Error) return thrown.message || thrown.name;
  return `The server cannot start: ${JSON.stringify(thrown)}`;
}
