import { join } from "node:path";
import envPaths from "env-paths";

/** The folders of this person on this computer. */
export type Folders = {
  /** Results by content, which may be deleted at any time. */
  cache: string;
  /** Keys of servers. */
  settings: string;
  /** The networks' program and weights, which `tintype install` fetches. */
  networks: string;
};

export function personalFolders({ cache }: { cache?: string | undefined } = {}): Folders {
  const paths = envPaths("tintype", { suffix: "" });
  return { cache: cache ?? paths.cache, settings: paths.config, networks: join(paths.data, "networks") };
}
