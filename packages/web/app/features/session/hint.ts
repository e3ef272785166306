/**
 * Storage key: in localStorage the id of the signed-in person, whose changes reach other tabs; in sessionStorage the
 * mark that a sign-in has left the page. Without either, no session code is loaded.
 */
export const hintKey = "tintype.session";

/** Storage key: the signed-in person has to verify their email, and every page shows a notice. */
const unverifiedKey = "tintype.unverified";

/**
 * Runs in the head, before the first paint: a signed-in person does not see the login button flash, and the layout
 * does not shift when the notice appears. The server's CSP allows it by its hash.
 */
export const hintScript = `try{let d=document.documentElement.dataset,s=localStorage;if(s.getItem("${hintKey}")){d.session="";if(s.getItem("${unverifiedKey}"))d.unverified=""}}catch{}`;

export function hasHint(): boolean {
  return Boolean(bestEffort(() => localStorage.getItem(hintKey) ?? sessionStorage.getItem(hintKey)));
}

/** The signed-in person, as far as any tab knows. */
export const hintedPersonId = (): string | null => bestEffort(() => localStorage.getItem(hintKey)) ?? null;

/** Called by the lazy part of the session; undefined when signed out. */
export function keepHint(personId: string | undefined): void {
  bestEffort(() => {
    sessionStorage.removeItem(hintKey);
    if (personId === undefined) localStorage.removeItem(hintKey);
    else if (localStorage.getItem(hintKey) !== personId) localStorage.setItem(hintKey, personId);
  });
  if (personId === undefined) {
    delete document.documentElement.dataset["session"];
    keepUnverified(false);
  }
}

/** For the next page. On this one, the space for the notice is released if there is none. */
export function keepUnverified(isUnverified: boolean): void {
  bestEffort(() =>
    isUnverified ? localStorage.setItem(unverifiedKey, "true") : localStorage.removeItem(unverifiedKey),
  );
  if (!isUnverified) delete document.documentElement.dataset["unverified"];
}

/** Whether this page is returning from a sign-in elsewhere. */
export const isReturning = (): boolean => Boolean(bestEffort(() => sessionStorage.getItem(hintKey)));

export function markRedirect(): void {
  bestEffort(() => sessionStorage.setItem(hintKey, "returning"));
}

/** Storage can be denied: then each page forgets the sign-in until the dialog asks again. */
function bestEffort<T>(run: () => T): T | undefined {
  try {
    return run();
  } catch {
    return undefined;
  }
}
