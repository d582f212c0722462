import { SteerError } from "../../core/errors.ts";

/** The part of onnxruntime-node that is used. */
export type Runtime = typeof import("onnxruntime-node");

/**
 * Loads onnxruntime-node, which brings a native library: only when a model is opened, so that
 * everything else works where the library does not exist. Call it in the main thread first: only
 * there a variable that is set reaches native code, and it has to be there when the library loads.
 *
 * @throws SteerError `not_found` when it is not installed or has no build for this machine
 */
export async function loadRuntime(): Promise<Runtime> {
  // The library reports its use to its maker unless told not to; nobody here agreed to that.
  process.env["ORT_DISABLE_TELEMETRY"] ??= "1";
  try {
    return await import("onnxruntime-node");
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    const machine = `${process.platform} ${process.arch}`;
    const message = `onnxruntime-node cannot be loaded on ${machine}: ${reason}`;
    throw new SteerError("not_found", `${message}; onnx: and hf: models need it`, { cause: error });
  }
}
