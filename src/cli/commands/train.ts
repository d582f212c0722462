import type { Command } from "commander";
import type { Method } from "../../train/header.ts";
import type { Io } from "../io.ts";
import { openSet, openSplit } from "../open.ts";
import { requireOptions } from "../options.ts";
import {
  addAdapterOptions,
  addRolloutOptions,
  addTrainOptions,
  readRequest,
  type TrainOptions,
} from "../train-options.ts";

const ON_DEMO = "scenario-sets/demo --split splits/demo.json --model models/smollm2";

export function addTrain(program: Command, io: Io): void {
  const train = program
    .command("train")
    .description("train a model folder on the train side of a split, on the CPU")
    .addHelpText(
      "after",
      `\nExamples:\n  steerbench train sft ${ON_DEMO} -o runs/sft\n  steerbench train rl --help`,
    );

  addMethod(train, "sft", "supervised: prompt and gold JSON, loss on the answer only", io, [
    `sft ${ON_DEMO} --epochs 2 -o runs/sft`,
  ]);
  addMethod(train, "rl", "reinforcement learning on outcomes, priced by a scheme", io, [
    `rl ${ON_DEMO} --from runs/sft --scheme symmetric -o runs/rl-symmetric`,
    `rl ${ON_DEMO} --from runs/sft --scheme asymmetric --price wrong=-0.1 -o runs/rl-priced`,
  ]);
  addMethod(train, "decision", "the five letters' cross-entropy where the letter follows", io, [
    `decision ${ON_DEMO} -o runs/decision`,
  ]);
  addMethod(train, "head", "only the letters' five rows of the head; the result is a model", io, [
    `head ${ON_DEMO} -o runs/head`,
  ]);

  train
    .command("merge")
    .description("write a model folder with an adapter merged into its weights")
    .argument("<adapter>", "folder of the adapter")
    .option("--model <dir>", "folder of the model that it belongs to")
    .option("-o, --out <dir>", "new folder")
    .addHelpText(
      "after",
      "\nExample:\n  steerbench train merge runs/sft --model models/smollm2 -o models/sft",
    )
    .action(async (adapter: string, options: { model: string; out: string }) => {
      requireOptions("train merge", options, { model: "--model DIR", out: "-o DIR" });
      const { mergeFolder } = await import("../../train/merge.ts");
      await mergeFolder(adapter, options.model, options.out);
      await io.print(`${options.out}: ${options.model} with ${adapter} merged into it\n`);
    });
}

function addMethod(
  train: Command,
  method: Method,
  description: string,
  io: Io,
  examples: readonly string[],
): void {
  const command = train.command(method).description(description).argument("<set>");
  addTrainOptions(command, method);
  if (method !== "head") addAdapterOptions(command);
  if (method === "rl") addRolloutOptions(command);
  const lines = examples.map((example) => `\n  steerbench train ${example}`).join("");
  command
    .addHelpText("after", `\n${examples.length > 1 ? "Examples" : "Example"}:${lines}`)
    .action((set: string, options: TrainOptions, self: Command) => {
      const needed = { split: "--split FILE", model: "--model DIR", out: "-o DIR" };
      requireOptions(`train ${method}`, options, needed);
      return runTrain(method, set, options, self, io);
    });
}

async function runTrain(
  method: Method,
  path: string,
  options: TrainOptions,
  command: Command,
  io: Io,
): Promise<void> {
  const request = await readRequest(method, options, command);
  const { planTraining } = await import("../../train/plan.ts");
  const { trainInWorker } = await import("../../train/train-in-worker.ts");
  const { renderSummary, summarize } = await import("../../train/summary.ts");
  const split = await openSplit(options.split);
  const set = await openSet(path, io);
  try {
    const job = await io.withProgress(`checking ${options.split}`, (onProgress) =>
      planTraining({ ...request, set, split, onProgress }),
    );
    if (method === "rl" && job.from === null) {
      io.note("starts from the bare model; one that never answers readably learns nothing\n");
    }
    const result = await io.withProgress(`train ${method}`, (onProgress) =>
      trainInWorker(job, { signal: io.signal, onProgress }),
    );
    if (result.wasFinished) io.note(`${job.out}: was finished before; nothing was done\n`);
    const summary = summarize(result.rows);
    await io.print(
      options.json
        ? `${JSON.stringify({ run: job.out, method, ...summary })}\n`
        : `${job.out}: ${renderSummary(summary)}\n`,
    );
  } finally {
    set.close();
  }
}
