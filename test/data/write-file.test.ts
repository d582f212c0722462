import { spawnSync } from "node:child_process";
import {
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { expect, test } from "vitest";
import { sha256Hex } from "../../src/core/hash.ts";
import { writeFileAtomic } from "../../src/data/write-file.ts";
import { temporaryFolder } from "../support/cli.ts";
import { repositoryPath } from "../support/fixtures.ts";

function* pieces(): Generator<string | Uint8Array> {
  yield "héllo ";
  yield new Uint8Array([0, 255]);
  yield "x".repeat(1 << 20);
}

const WHOLE = Buffer.concat([...pieces()].map((piece) => Buffer.from(piece as string)));

const listenersBefore = process.listenerCount("exit");

test.each([
  ["a text", "héllo", Buffer.from("héllo")],
  ["bytes", new Uint8Array([1, 2, 3]), Buffer.from([1, 2, 3])],
  ["nothing", "", Buffer.alloc(0)],
  ["pieces", pieces(), WHOLE],
  [
    "pieces that come later",
    (async function* () {
      yield* pieces();
    })(),
    WHOLE,
  ],
] as const)("%s: file, size and hash agree, and no other file is left", async (_, data, wanted) => {
  const folder = temporaryFolder();
  const path = join(folder, "new/folder/out.bin");
  const { bytes, sha256 } = await writeFileAtomic(path, data);
  expect(readFileSync(path).equals(wanted)).toBe(true);
  expect(bytes).toBe(wanted.length);
  expect(sha256).toBe(sha256Hex(wanted));
  expect(readdirSync(join(folder, "new/folder"))).toEqual(["out.bin"]);
});

test("when the data breaks off, the old file stays as it was and nothing is left beside it", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "out.txt");
  writeFileSync(path, "old");
  const broken = (function* () {
    yield "x".repeat(1 << 20);
    throw new Error("broken data");
  })();
  await expect(writeFileAtomic(path, broken)).rejects.toThrow("broken data");
  expect(readFileSync(path, "utf8")).toBe("old");
  expect(readdirSync(folder)).toEqual(["out.txt"]);
});

test("two writers of one file do not mix", async () => {
  const folder = temporaryFolder();
  const path = join(folder, "out.txt");
  await Promise.all(["a", "b"].map((letter) => writeFileAtomic(path, letter.repeat(1 << 20))));
  expect(["a", "b"].map((letter) => letter.repeat(1 << 20))).toContain(readFileSync(path, "utf8"));
  expect(readdirSync(folder)).toEqual(["out.txt"]);
});

test("many files can be written at once without a warning", async () => {
  const folder = temporaryFolder();
  const warnings: Error[] = [];
  const listen = (warning: Error) => warnings.push(warning);
  process.on("warning", listen);
  const names = Array.from({ length: 30 }, (_, k) => join(folder, `${k}.txt`));
  await Promise.all(names.map((name) => writeFileAtomic(name, name)));
  process.off("warning", listen);
  expect(warnings).toEqual([]);
  expect(readdirSync(folder)).toHaveLength(30);
  expect(process.listenerCount("exit")).toBe(listenersBefore);
});

test("a link is followed, not replaced", async () => {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "real"));
  writeFileSync(join(folder, "real/out.txt"), "old");
  symlinkSync("real/out.txt", join(folder, "link.txt"));
  await writeFileAtomic(join(folder, "link.txt"), "new");
  expect(readlinkSync(join(folder, "link.txt"))).toBe("real/out.txt");
  expect(readFileSync(join(folder, "real/out.txt"), "utf8")).toBe("new");
});

test.each([
  ["a folder", (folder: string) => folder, /not a regular file/],
  [
    "a path through a file",
    (folder: string) => join(folder, "file/out.txt"),
    /\((ENOTDIR|EEXIST)\)/,
  ],
  ["a device", () => "/dev/null", /not a regular file/],
  ["a name that is too long", (folder: string) => join(folder, "x".repeat(300)), /name too long/],
])("%s cannot be written, and the error names path and cause", async (_, make, reason) => {
  const folder = temporaryFolder();
  writeFileSync(join(folder, "file"), "");
  const path = make(folder);
  const write = writeFileAtomic(path, "text");
  await expect(write).rejects.toMatchObject({
    code: "unwritable",
    message: expect.stringMatching(reason),
  });
  await expect(writeFileAtomic(path, "text")).rejects.toThrow(path);
  expect(readdirSync(folder)).toEqual(["file"]);
  expect(lstatSync("/dev/null").isFile()).toBe(false);
});

/** Runs a script that writes 100 blocks of 1 MiB with the built writer, in a shell line. */
function writeInShell(folder: string, line: string, between: string) {
  const url = JSON.stringify(pathToFileURL(repositoryPath("dist/data/write-file.js")));
  const script = `
    import { writeFileAtomic } from ${url};
    const blocks = (function* () {
      for (let k = 0; k < 100; k++) { yield "x".repeat(1 << 20); ${between} }
    })();
    await writeFileAtomic("out.txt", blocks).catch((error) => {
      process.stdout.write(error.code + " " + error.message);
    });`;
  writeFileSync(join(folder, "write.mjs"), script);
  writeFileSync(join(folder, "out.txt"), "old");
  return spawnSync("sh", ["-c", line], { cwd: folder, encoding: "utf8" });
}

test("a full disk is reported as such; the old file is intact and nothing is left", () => {
  const folder = temporaryFolder();
  // A limit on the size of files stops a write half-way, as a full disk does.
  const { stdout } = writeInShell(folder, `ulimit -f 20000; ${process.execPath} write.mjs`, "");
  expect(stdout).toBe("unwritable out.txt: cannot be written: file too large (EFBIG)");
  expect(readFileSync(join(folder, "out.txt"), "utf8")).toBe("old");
  expect(readdirSync(folder).sort()).toEqual(["out.txt", "write.mjs"]);
});

test("a process that exits half-way leaves the old file and nothing else", () => {
  const folder = temporaryFolder();
  const { status } = writeInShell(
    folder,
    `${process.execPath} write.mjs`,
    "if (k === 50) process.exit(130);",
  );
  expect(status).toBe(130);
  expect(readFileSync(join(folder, "out.txt"), "utf8")).toBe("old");
  expect(readdirSync(folder).sort()).toEqual(["out.txt", "write.mjs"]);
});

test("a process that exits in any turn of the event loop leaves no temporary file", () => {
  const folder = temporaryFolder();
  const target = join(folder, "out.txt");
  const code = (turns: number) => `
    import { writeFileAtomic } from ${JSON.stringify(pathToFileURL(repositoryPath("dist/data/write-file.js")).href)};
    let turn = 0;
    const go = () => (turn++ === ${turns} ? process.exit(130) : setImmediate(go));
    setImmediate(go);
    void writeFileAtomic(${JSON.stringify(target)}, "new");`;
  for (let turns = 0; turns < 8; turns++) {
    spawnSync(process.execPath, ["--input-type=module", "-e", code(turns)]);
    expect(
      readdirSync(folder).filter((name) => name.endsWith(".tmp")),
      `after ${turns}`,
    ).toEqual([]);
  }
});
