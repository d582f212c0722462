import { type LocalModel, type LocalOptions, openLocalModel } from "./local-model.ts";
import { readLocation } from "./location.ts";
import { readModelFolder } from "./model-folder.ts";

/**
 * Opens a model folder in the Hugging Face layout with an ONNX graph.
 *
 * @param location the folder, or `folder#file` where it holds several graphs
 * @throws SteerError for everything that is wrong with its files, before anything is scored
 */
export async function openOnnxModel(
  location: string,
  options: LocalOptions = {},
): Promise<LocalModel> {
  const { path, graph } = readLocation(location);
  return openLocalModel(`onnx:${location}`, readModelFolder(path, graph), options);
}
