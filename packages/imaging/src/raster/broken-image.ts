import { DomainError } from "@tintype/contract";

/** For `catch` behind a decoder: whatever it throws means that the picture is broken. @throws broken-image */
export function brokenImage(cause: unknown): never {
  throw new DomainError("broken-image", { cause });
}
