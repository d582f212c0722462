import { SteerError } from "../../core/errors.ts";

/** The part of onnxruntime-node that is used. */
export type Runtime = typeof import("onnxruntime-node");

/**
 * Loads onnxruntime-node, which brings a native library: only when a model is opened, so that
 * everything else works where the library does not exist.
 *
 * @throws SteerError `not_found` when it is not installed or has no build for this machine
 */
export async function loadRuntime(): Promise<Runtime> {
  try {
    return await import("onnxruntime-node");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const machine = `${process.platform} ${process.arch}`;
    const message = `onnxruntime-node cannot be loaded on ${machine}: ${reason}`;
    throw new SteerError("not_found", `${message}; onnx: models need it`, { cause: error });
  }
}
