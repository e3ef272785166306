import { NodeFS } from "@electric-sql/pglite/nodefs";

/** The part of emscripten's NODEFS that is wrapped here. */
type NodeOps = {
  setattr(node: unknown, attributes: { mode?: number }): void;
  mknod(parent: unknown, name: string, mode: number, dev: number): unknown;
};

/** The permission bits of group and others. */
const others = 0o077;

/**
 * Restricts PGlite's files to their owner. PGlite sets mode 0666 with chmod, which ignores the umask: every program on the
 * machine could write to the database.
 */
export class PrivateNodeFs extends NodeFS {
  override async init(...[pg, options]: Parameters<NodeFS["init"]>): ReturnType<NodeFS["init"]> {
    const { emscriptenOpts } = await super.init(pg, options);
    const preRun = [emscriptenOpts.preRun ?? []].flat();
    return { emscriptenOpts: { ...emscriptenOpts, preRun: [...preRun, closeToOthers] } };
  }
}

function closeToOthers(module: object): void {
  const { node_ops: ops } = (module as { NODEFS: { node_ops: NodeOps } }).NODEFS; // built into PGlite's module, and not in its types
  const { setattr, mknod } = ops;
  ops.setattr = (node, attributes) =>
    setattr(node, attributes.mode === undefined ? attributes : { ...attributes, mode: attributes.mode & ~others });
  ops.mknod = (parent, name, mode, dev) => mknod(parent, name, mode & ~others, dev);
}
