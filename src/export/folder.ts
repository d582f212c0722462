import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { SteerError } from "../core/errors.ts";
import { systemReason } from "../data/file-error.ts";
import { readJsonFile } from "../data/json-file.ts";
import { makeFolder } from "../data/make-folder.ts";
import { type FileData, type WrittenFile, writeFileAtomic } from "../data/write-file.ts";
import { lockRun } from "../result/run-lock.ts";
import { MANIFEST_FILE, type Manifest, manifestSchema } from "./manifest.ts";

/** Holds files until all are written; a trainer that globs for data files does not see it. */
const STAGE = ".unfinished-export";

/** An export's folder, which changes from one whole export to the next. */
export class ExportFolder {
  readonly #path: string;
  readonly #written: string[] = [];
  readonly #release: () => void;

  /** @throws SteerError `unwritable`, or `state` while another process writes here */
  constructor(path: string) {
    this.#path = path;
    try {
      makeFolder(path);
    } catch (error) {
      const message = `${path}: no folder can be made there: ${systemReason(error)}`;
      throw new SteerError("unwritable", message, { cause: error });
    }
    this.#release = lockRun(path);
  }

  /** @throws SteerError `unwritable`, or whatever `data` throws */
  async write(name: string, data: FileData): Promise<WrittenFile> {
    const written = await writeFileAtomic(join(this.#path, STAGE, name), data);
    this.#written.push(name);
    return written;
  }

  /**
   * Puts all files in place, the manifest last, and removes what an earlier export of other parts
   * or another form left here: trainers read a folder as a whole.
   */
  async finish(manifest: Manifest): Promise<void> {
    await this.write(MANIFEST_FILE, `${JSON.stringify(manifest, null, 2)}\n`);
    const earlier = await this.#earlierFiles();
    try {
      for (const name of this.#written) {
        await rename(join(this.#path, STAGE, name), join(this.#path, name));
      }
      for (const name of earlier.filter((name) => !this.#written.includes(name))) {
        await rm(join(this.#path, name), { force: true });
      }
    } catch (error) {
      throw new SteerError(
        "unwritable",
        `${this.#path}: cannot be written: ${systemReason(error)}`,
        {
          cause: error,
        },
      );
    }
  }

  /** Removes what was not put in place, and lets other writers in. */
  async discard(): Promise<void> {
    await rm(join(this.#path, STAGE), { recursive: true, force: true });
    this.#release();
  }

  /** The files of the export that stands here, if its manifest can be read. */
  async #earlierFiles(): Promise<string[]> {
    try {
      const { files, configs } = await readManifest(this.#path);
      return [...files, ...configs].map(({ name }) => name);
    } catch (error) {
      if (error instanceof SteerError) return [];
      throw error;
    }
  }
}

/**
 * Reads the manifest of an export.
 *
 * @throws SteerError `not_found`, `unreadable`, `foreign_version`, or `invalid` listing all faults
 */
export async function readManifest(folder: string): Promise<Manifest> {
  return readJsonFile(join(folder, MANIFEST_FILE), manifestSchema, "export manifest");
}
