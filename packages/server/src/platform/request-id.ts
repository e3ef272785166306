import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The id of the current request, at any call depth. Node propagates it through every await: rows written far from the
 * request (a mail of the identity provider, a payment) take it from here. This is the only state that is not passed as an
 * argument; only `http/app.ts` sets it.
 */
const requestIds = new AsyncLocalStorage<string>();

/** Runs `work`, and everything that it awaits, for the request with this id. */
export const runForRequest = <Result>(id: string, work: () => Result): Result => requestIds.run(id, work);

/** Runs shared work that a request starts, outside of its context. */
export const runForNobody = <Result>(work: () => Result): Result => requestIds.exit(work);

/** The id of the request being served; undefined in a sweep. */
export const currentRequestId = (): string | undefined => requestIds.getStore();
