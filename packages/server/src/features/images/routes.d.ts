import type { Mount } from "../../http/endpoint.ts";
import { type Run, type Running } from "./run.ts";
/** Every task of the contract, by one path, which it gives to others that bring an order of their own. */
export declare function mountImages(mount: Mount, use: Running): Run;
