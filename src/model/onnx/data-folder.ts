import { realpathSync } from "node:fs";
import { dirname, relative, sep } from "node:path";

/** Where the runtime finds the files that a graph's tensors lie in. */
export interface DataFolder {
  readonly folder: string;
  /** The path of one of the files, relative to the folder, with slashes. */
  place(path: string): string;
}

/**
 * The folder in which all of these files really lie. The runtime is given one folder and refuses a
 * file that is a link out of it, as in a hub cache; so links are followed first.
 */
export function findDataFolder(paths: readonly string[]): DataFolder {
  const folder = commonFolder(paths.map((path) => dirname(realpathSync(path))));
  return { folder, place: (path) => relative(folder, realpathSync(path)).split(sep).join("/") };
}

/** The deepest folder that holds all of these. */
function commonFolder(folders: readonly string[]): string {
  const [first = sep, ...others] = folders;
  let common = first;
  while (!others.every((folder) => `${folder}${sep}`.startsWith(`${common}${sep}`))) {
    common = dirname(common);
    if (common === dirname(common)) return common;
  }
  return common;
}
