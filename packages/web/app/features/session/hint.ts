/**
 * Under this name the browser remembers that somebody is signed in (their id, in localStorage, which tells other tabs
 * of each change) or that a sign-in has left the page (in sessionStorage). Without it nothing of the session is loaded.
 */
export const hintKey = "tintype.session";

/** Under this name the browser remembers that the person signed in has to verify their email: a notice on every page. */
const unverifiedKey = "tintype.unverified";

/**
 * Runs in the head, before the first paint: who is signed in does not see the way in flash up, and nothing moves when the
 * notice comes. The server lets it through by its hash.
 */
export const hintScript = `try{let d=document.documentElement.dataset,s=localStorage;if(s.getItem("${hintKey}")){d.session="";if(s.getItem("${unverifiedKey}"))d.unverified=""}}catch{}`;

export function hasHint(): boolean {
  return Boolean(quietly(() => localStorage.getItem(hintKey) ?? sessionStorage.getItem(hintKey)));
}

/** The person signed in, as far as any tab has told. */
export const hintedPersonId = (): string | null => quietly(() => localStorage.getItem(hintKey)) ?? null;

/** The loaded part tells it; undefined without a sign-in. */
export function keepHint(personId: string | undefined): void {
  quietly(() => {
    sessionStorage.removeItem(hintKey);
    if (personId === undefined) localStorage.removeItem(hintKey);
    else if (localStorage.getItem(hintKey) !== personId) localStorage.setItem(hintKey, personId);
  });
  if (personId === undefined) {
    delete document.documentElement.dataset["session"];
    keepUnverified(false);
  }
}

/** For the next page. On this one the room for the notice is no longer kept where there is none. */
export function keepUnverified(isUnverified: boolean): void {
  quietly(() => (isUnverified ? localStorage.setItem(unverifiedKey, "true") : localStorage.removeItem(unverifiedKey)));
  if (!isUnverified) delete document.documentElement.dataset["unverified"];
}

/** Whether this page is on its way back from a sign-in elsewhere. */
export const isReturning = (): boolean => Boolean(quietly(() => sessionStorage.getItem(hintKey)));

export function noteLeaving(): void {
  quietly(() => sessionStorage.setItem(hintKey, "returning"));
}

/** Storage can be denied: then a page forgets who was there until the dialog asks again. */
function quietly<T>(use: () => T): T | undefined {
  try {
    return use();
  } catch {
    return undefined;
  }
}
