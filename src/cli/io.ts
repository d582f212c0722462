import { once } from "node:events";
import { fileURLToPath } from "node:url";
import { showControls } from "./show-controls.ts";

/** Called as work goes on; `total` may be unknown (0). */
export type Progress = (done: number, total: number) => void;

/** What a command may do to the world besides files: the only place that touches the process. */
export interface Io {
  /** Results, to standard output. Waits while a slow reader catches up. */
  print(text: string): Promise<void>;
  /** Everything else that people read, to standard error. */
  note(text: string): void;
  /** Runs work with a progress bar on standard error, shown only on a terminal. */
  withProgress<T>(label: string, work: (onProgress: Progress) => Promise<T> | T): Promise<T>;
  /** An environment variable. Secrets come this way: command lines can be read by others. */
  env(name: string): string | undefined;
  /**
   * Aborted by Ctrl-C and by the polite kill. Reading it is a promise to look at it: until then
   * either ends the process.
   */
  readonly signal: AbortSignal;
  /** Sets the exit code without ending the process, so that output is flushed first. */
  setExitCode(code: number): void;
}

/** Absolute path of a file that the package carries, wherever it is installed. */
export function packagedPath(path: string): string {
  return fileURLToPath(new URL(`../../${path}`, import.meta.url));
}

/** The key for endpoints: STEERBENCH_API_KEY, else OPENAI_API_KEY. It is shown and stored nowhere. */
export function endpointKey(): string | undefined {
  return process.env["STEERBENCH_API_KEY"] || process.env["OPENAI_API_KEY"];
}

/** Exit code of a command that a signal ended. */
export const INTERRUPTED = 130;

/** Connects commands to this process. */
export function processIo(): Io {
  const abort = new AbortController();
  let isWatched = false;
  for (const signal of ["SIGINT", "SIGTERM"] as const) {
    process.once(signal, () => {
      // Work that does not look at the signal ends here; files half written are removed on exit.
      if (!isWatched) process.exit(INTERRUPTED);
      // A second signal finds no listener and ends the process at once.
      abort.abort(signal);
    });
  }
  process.stdout.on("error", (error: NodeJS.ErrnoException) => {
    // A reader that has seen enough (`| head -1`) is no fault: end quietly.
    if (error.code === "EPIPE") process.exit(process.exitCode ?? 0);
    process.stderr.write(`cannot write to standard output: ${error.message}\n`);
    process.exit(1);
  });
  // With nobody to tell, there is nothing left to do about it.
  process.stderr.on("error", () => {});
  return {
    async print(text) {
      if (!process.stdout.write(showControls(text))) await once(process.stdout, "drain");
    },
    note(text) {
      process.stderr.write(showControls(text));
    },
    withProgress,
    env: (name) => process.env[name],
    get signal() {
      isWatched = true;
      return abort.signal;
    },
    setExitCode(code) {
      process.exitCode = code;
    },
  };
}

/** A bar that flashes up for an instant only disturbs. */
const BAR_AFTER_MS = 500;

async function withProgress<T>(
  label: string,
  work: (onProgress: Progress) => Promise<T> | T,
): Promise<T> {
  if (!process.stderr.isTTY) return work(() => {});
  const { SingleBar } = (await import("cli-progress")).default;
  const bar = new SingleBar({
    format: `${showControls(label)} {bar} {value}/{total} {eta_formatted}`,
    stream: process.stderr,
    clearOnComplete: true,
  });
  const begun = performance.now();
  let isShown = false;
  try {
    return await work((done, total) => {
      if (isShown) bar.update(done);
      else if (performance.now() - begun > BAR_AFTER_MS) {
        isShown = true;
        bar.start(total, done);
      }
    });
  } finally {
    if (isShown) bar.stop();
  }
}
