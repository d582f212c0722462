import { rmSync, truncateSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Breaks a model folder in one way. */
export type Break = (folder: string) => void;

/** What git leaves in place of a large file that was not fetched. */
export const POINTER = `version https://git-lfs.github.com/spec/v1\noid sha256:${"0".repeat(64)}\nsize 538265651\n`;

export const write =
  (file: string, content: string): Break =>
  (folder) =>
    writeFileSync(join(folder, file), content);

export const remove =
  (file: string): Break =>
  (folder) =>
    rmSync(join(folder, file));

export const cut =
  (file: string, bytes: number): Break =>
  (folder) =>
    truncateSync(join(folder, file), bytes);
