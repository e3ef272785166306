/**
 * How far an engine process is kept from everything else, the strongest first.
 * `namespaces`: it sees the system's libraries, our code, its models and its own room, no network and no other process.
 * `network`: no network and no other process, but the files that its user may read.
 * `privileges`: it can gain none that it lacks. `environment`: only the server's environment is kept from it.
 */
export type SandboxLevel = "namespaces" | "network" | "privileges" | "environment";
export type Sandbox = {
    level: SandboxLevel;
    /** The user that engines run as, where it is not the server's own. */
    uid: number | undefined;
    /** Whether the process that is started only waits for the one that works, which is its child. */
    hasKeeper: boolean;
    /**
     * The command line that runs `command` in the sandbox. It is to be started in `room`, which is its working folder
     * and the one place it can write to.
     */
    wrap(room: string, command: readonly string[]): [file: string, ...args: string[]];
};
export type SandboxOptions = {
    /** Files and folders that the engine reads besides the system's own; each of them is there. */
    readable: readonly string[];
    /** A folder in which a room can be made for a try. */
    scratch: string;
    /** Whether it computes on a graphics card: the system's devices then stay in sight. */
    needsDevices?: boolean;
};
/** Without a sandbox: what a system without these tools has, and benches that measure what one costs. */
export declare const noSandbox: Sandbox;
/** The strongest sandbox that works on this system. */
export declare function chooseSandbox(options: SandboxOptions): Promise<Sandbox>;
/** Every sandbox that a system may have, the strongest first. */
export declare function sandboxes(options: SandboxOptions): Sandbox[];
/** Found by trying: a tool that is installed may still be refused by the kernel or by the container. */
export declare function worksHere(sandbox: Sandbox, { readable, scratch }: SandboxOptions): Promise<boolean>;
