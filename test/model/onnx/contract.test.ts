import { openOnnxModel } from "../../../src/model/onnx/onnx-model.ts";
import { modelContract } from "../contract.ts";
import { TINY } from "./support.ts";

modelContract("onnx:models/tiny", () => openOnnxModel(TINY, { workers: 0 }));
