// Preloaded into a real command (NODE_OPTIONS=--import): raises a signal at the moment when
// `answers.jsonl` holds exactly KILL_AT_BYTE bytes, inside a row or not.
import fs from "node:fs";
import { syncBuiltinESMExports } from "node:module";

const limit = Number(process.env.KILL_AT_BYTE);
const signal = process.env.KILL_SIGNAL;
const { openSync, writeSync } = fs;
let answers = -1;
let isRaised = false;

fs.openSync = (path, flags, mode) => {
  const file = openSync(path, flags, mode);
  if (flags === "a" && String(path).endsWith("answers.jsonl")) answers = file;
  return file;
};

fs.writeSync = (file, bytes, offset = 0, ...rest) => {
  const room = limit - fs.fstatSync(file).size;
  if (file !== answers || isRaised || bytes.length - offset < room) {
    return writeSync(file, bytes, offset, ...rest);
  }
  isRaised = true;
  const written = writeSync(file, bytes, offset, room);
  process.kill(process.pid, signal);
  // SIGKILL may take a moment to arrive, and nothing may be written until then.
  if (signal === "SIGKILL") Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  return written;
};

syncBuiltinESMExports();
