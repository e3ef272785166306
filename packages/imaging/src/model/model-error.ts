/**
 * A model that is unavailable or cannot be opened. The message is for the operator's log: it names files and addresses.
 */
export class ModelError extends Error {
  override readonly name = "ModelError";
}
