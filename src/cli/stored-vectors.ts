import { readFile } from "node:fs/promises";
import { packagedPath } from "./io.ts";

/** sha256 of the parity vectors that this version was checked against. */
export async function storedVectors(): Promise<string> {
  const text = await readFile(packagedPath("parity-vectors/manifest.json"), "utf8");
  return (JSON.parse(text) as { sha256: string }).sha256;
}
