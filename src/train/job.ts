import type { Trace } from "../core/trace.ts";
import type { BaseModel } from "./base-model.ts";
import type { TrainHeader } from "./header.ts";
import type { TrainingFolder } from "./training-folder.ts";

/** Everything a training run needs to know, as plain data that can go to another thread. */
export interface TrainJob {
  readonly header: TrainHeader;
  /** Folder of the model. */
  readonly model: string;
  /** Folder of the adapter that training goes on from; null for the model itself. */
  readonly from: string | null;
  readonly train: readonly Trace[];
  readonly validation: readonly Trace[];
  /** Folder of the run. */
  readonly out: string;
  /** Go on with the run in the folder, or begin it there. */
  readonly resume: boolean;
}

/** How a run is followed and stopped. */
export interface TrainWatch {
  /** Whether it should end; asked between calls of the graph. */
  readonly isStopped: () => boolean;
  /** Steps done, and steps in all. */
  readonly onProgress: (done: number, total: number) => void;
  /** Seconds since any fixed moment. */
  readonly now: () => number;
}

/** A run that has begun: its job, and what was opened for it. */
export interface Training {
  readonly job: TrainJob;
  readonly base: BaseModel;
  readonly folder: TrainingFolder;
  readonly watch: TrainWatch;
  /** Has something closed when the run ends, however it ends. */
  keep<T extends Closable>(opened: T): T;
}

/** Something that holds a graph. */
export interface Closable {
  close(): Promise<void>;
}
