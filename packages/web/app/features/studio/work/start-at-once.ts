/** The person's wish that new pictures start at once. The browser keeps it, for each person by themselves. */
const keyOf = (callerId: string | undefined) => `tintype.start-at-once.${callerId ?? "guest"}`;

export function readStartAtOnce(callerId: string | undefined): boolean {
  try {
    return localStorage.getItem(keyOf(callerId)) === "on";
  } catch {
    return false; // storage is denied
  }
}

/** Answers whether the browser has kept it. */
export function writeStartAtOnce(callerId: string | undefined, isOn: boolean): boolean {
  try {
    if (isOn) localStorage.setItem(keyOf(callerId), "on");
    else localStorage.removeItem(keyOf(callerId));
    return true;
  } catch {
    return false;
  }
}
