import type { RunFlags } from "./flags.ts";

const later = async (_: RunFlags): Promise<number> => 0;

export { later as login, later as logout, later as whoami, later as usage };
