/** The setting that new pictures start at once, stored in the browser per caller. */
const keyOf = (callerId: string | undefined) => `tintype.start-at-once.${callerId ?? "guest"}`;

export function readStartAtOnce(callerId: string | undefined): boolean {
  try {
    return localStorage.getItem(keyOf(callerId)) === "on";
  } catch {
    return false; // storage access is denied
  }
}

/** Returns whether the setting was stored. */
export function writeStartAtOnce(callerId: string | undefined, isOn: boolean): boolean {
  try {
    if (isOn) localStorage.setItem(keyOf(callerId), "on");
    else localStorage.removeItem(keyOf(callerId));
    return true;
  } catch {
    return false;
  }
}
