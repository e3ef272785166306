import { NodeFS } from "@electric-sql/pglite/nodefs";
/**
 * PGlite's files, for their owner alone. PGlite asks for 0666 and sets that with chmod, which no umask keeps from
 * being: every program on the machine could write to the database.
 */
export declare class PrivateNodeFs extends NodeFS {
    init(...[pg, options]: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]>;
}
