import { type KeyMode } from "@tintype/contract";
export type KeyText = {
    mode: KeyMode;
    hash: string;
    lastFour: string;
};
/** A new key: `tt_live_`, 30 random characters of base 62, and 6 that check them. */
export declare function makeKey(mode: KeyMode): string;
/** The stored part of a key. */
export declare function factsOf(key: string, mode: KeyMode): KeyText;
/** Whether a bearer means to be a key. */
export declare const isKeyLike: (bearer: string) => boolean;
/** A key's facts; undefined where its shape or its checksum is wrong, found without asking the database. */
export declare function readKey(bearer: string): KeyText | undefined;
