import { closeSync, existsSync, fstatSync, openSync, readSync } from "node:fs";
import { join } from "node:path";
import { SteerError } from "../../core/errors.ts";
import { headerLength, PREFIX_BYTES, readHeader, type SafetensorsHeader } from "./header.ts";
import { decodeNumbers } from "./number-formats.ts";

/** An open safetensors file; its tensors are read when they are asked for. */
export interface WeightFile extends SafetensorsHeader {
  readonly path: string;
  /** Bytes of the whole file. */
  readonly size: number;
  /**
   * A tensor in single precision.
   *
   * @throws SteerError `not_found` for a name that the file does not have
   */
  read(name: string): Float32Array;
  close(): void;
}

const MODEL_FILE = "model.safetensors";
const SHARD_INDEX = "model.safetensors.index.json";

/**
 * Opens `model.safetensors` of a model folder.
 *
 * @throws SteerError `not_found` when it is missing, `invalid` when the folder's weights are in
 * several files; as for {@link openWeightFile}
 */
export function openModelWeights(folder: string): WeightFile {
  const path = join(folder, MODEL_FILE);
  if (existsSync(path)) return openWeightFile(path);
  if (existsSync(join(folder, SHARD_INDEX))) {
    const message = `${join(folder, SHARD_INDEX)}: weights in several files are not read`;
    const fix = `save the model as one ${MODEL_FILE} (save_pretrained with a larger max_shard_size)`;
    throw new SteerError("invalid", `${message}; ${fix}`);
  }
  throw new SteerError("not_found", `${path}: is missing; download it into the folder`);
}

/**
 * Opens a safetensors file and checks its header against its size.
 *
 * @throws SteerError `not_found` or `unreadable`; `invalid` that lists every broken entry
 */
export function openWeightFile(path: string): WeightFile {
  const file = open(path);
  try {
    const { size } = fstatSync(file);
    const prefix = readBytes(file, path, 0, Math.min(size, PREFIX_BYTES));
    const length = headerLength(prefix, size, path);
    const header = readHeader(readBytes(file, path, PREFIX_BYTES, length), size, path);
    return {
      ...header,
      path,
      size,
      read(name) {
        const place = header.tensors.get(name);
        if (place === undefined) throw new SteerError("not_found", `${path}: has no ${name}`);
        return decodeNumbers(readBytes(file, path, place.offset, place.length), place.format);
      },
      close: () => closeSync(file),
    };
  } catch (error) {
    closeSync(file);
    throw error;
  }
}

function open(path: string): number {
  try {
    return openSync(path, "r");
  } catch (error) {
    const missing = (error as NodeJS.ErrnoException).code === "ENOENT";
    const code = missing ? "not_found" : "unreadable";
    const reason = error instanceof Error ? error.message : String(error);
    throw new SteerError(code, `${path}: cannot be opened: ${reason}`, { cause: error });
  }
}

function readBytes(file: number, path: string, start: number, length: number): Uint8Array {
  const bytes = new Uint8Array(length);
  for (let done = 0; done < length; ) {
    const count = readSync(file, bytes, done, length - done, start + done);
    if (count === 0) {
      throw new SteerError(
        "unreadable",
        `${path}: ended at byte ${start + done} while it was read`,
      );
    }
    done += count;
  }
  return bytes;
}
