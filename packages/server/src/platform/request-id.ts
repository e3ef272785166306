import { AsyncLocalStorage } from "node:async_hooks";

/**
 * The id of the request that the present call serves, however deep. Node carries it through every await: rows that are written
 * far from the request (a mail of the identity provider, a payment) take it from here. The one place of state that
 * arrives by no argument; `http/app.ts` alone sets it.
 */
const requestIds = new AsyncLocalStorage<string>();

/** Runs `work`, and all that it awaits, for the request with this id. */
export const runForRequest = <Result>(id: string, work: () => Result): Result => requestIds.run(id, work);

/** Runs what a request begins for everybody, outside of it. */
export const runForNobody = <Result>(work: () => Result): Result => requestIds.exit(work);

/** The id of the request that is being served; undefined in a sweep. */
export const currentRequestId = (): string | undefined => requestIds.getStore();
