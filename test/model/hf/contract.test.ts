import { openHfModel } from "../../../src/model/hf/hf-model.ts";
import { modelContract } from "../contract.ts";
import { TINY } from "../onnx/support.ts";

modelContract("hf:models/tiny", () => openHfModel(TINY, { workers: 0 }));
