import type { Task } from "@tintype/imaging";
/**
 * The folder of one engine process: the one place it can write to, and where it finds the pictures of its task.
 * Pictures of other callers are never in it.
 */
export type EngineRoom = {
    path: string;
    /** Puts the task's pictures in, and answers the task with paths as they are in here. */
    bring(task: Task): Promise<Task>;
    /** Puts the result where the task wants it. @throws Error where the engine left something else than a file */
    takeResult(outputPath: string): Promise<void>;
    /** Empties it, after each task. */
    clear(): Promise<void>;
    /** To be called when the process is gone. */
    remove(): void;
};
/** @param uid whom the room and what is brought in belong to, where engines run as another user */
export declare function openEngineRoom(scratch: string, uid?: number): EngineRoom;
