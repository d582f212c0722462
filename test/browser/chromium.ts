import { existsSync } from "node:fs";
import { delimiter, join } from "node:path";

/** What Chromium and its kin are called on a path. */
const NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/** Where other systems keep them. */
const PLACES = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
  "C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe",
];

/**
 * The browser to test in: `STEERBENCH_CHROMIUM`, else the first one found.
 *
 * @throws Error that says how to get one
 */
export function findChromium(): string {
  const named = process.env["STEERBENCH_CHROMIUM"];
  const onPath = (process.env["PATH"] ?? "")
    .split(delimiter)
    .flatMap((folder) => NAMES.map((name) => join(folder, name)));
  const found = (named ? [named] : [...onPath, ...PLACES]).find((path) => existsSync(path));
  if (found) return found;
  throw new Error(
    named
      ? `STEERBENCH_CHROMIUM is ${named}, which does not exist`
      : "no Chromium found: run `apt-get install chromium` (Debian, Ubuntu), or install Chrome, or set STEERBENCH_CHROMIUM to a browser's path",
  );
}
