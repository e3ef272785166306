/** Engines of class `picture` need a core; engines of class `model` hold a network and need a gigabyte. */
export type WorkClass = "picture" | "model";
export declare const workClasses: readonly WorkClass[];
export type Lane = "fast" | "normal";
/** A file that waits for an engine. The row in `job_files` is the truth; an offer only says whose turn it is. */
export type Offer = {
    /** Names the row: job id and index. Letters, digits, `-`, `_` and `.` only. */
    fileId: string;
    workClass: WorkClass;
    lane: Lane;
    /** Place in the lane's line, 1 to 2,000,000: the smallest goes first, equal tags in the order they were offered. */
    tag: number;
};
export type TakeOptions = {
    /** Turns at a time: the number of engines behind it. */
    hands: number;
    /**
     * Works on one file. It claims the row first, by compare and set, and returns at once where the claim fails: the same
     * file can be handed out twice. It never throws for a picture's fault; a throw is logged and the turn ends.
     */
    handle(fileId: string): Promise<void>;
};
export type Taker = {
    /** Takes no further turn and waits for the turns in hand. */
    close(): Promise<void>;
};
/**
 * Hands out turns. Ids only: no personal data passes through it, and everything in it may be lost at any moment, since a
 * sweep offers again what waits. The fast lane goes first, and the normal lane gets at least one turn in five while both wait.
 */
export type Work = {
    /**
     * Puts files in line. A file that already waits keeps its one place; a file that had its turn may be offered again. While
     * its turn lasts the offer may be lost: a file that is given back waits for the sweep.
     * @throws unavailable where the queue cannot be reached; the sweep offers the files again later
     */
    offer(offers: readonly Offer[]): Promise<void>;
    /** Takes files out of the line that no longer need a turn. A file that is not in line is no error, and one in hand keeps its turn. */
    withdraw(files: readonly Pick<Offer, "fileId" | "workClass" | "lane">[]): Promise<void>;
    /** Begins to take turns of a class. */
    take(workClass: WorkClass, options: TakeOptions): Taker;
    close(): Promise<void>;
};
