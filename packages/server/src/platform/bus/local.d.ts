import type { Bus } from "./bus.ts";
/** Messages inside one process. */
export declare function createLocalBus(): Bus;
