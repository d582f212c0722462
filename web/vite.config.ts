import { fileURLToPath } from "node:url";
import { readDeck } from "./build/deck.ts";
import { playgroundBuild } from "./build/playground.ts";

const root = fileURLToPath(new URL("..", import.meta.url));

// biome-ignore lint/style/noDefaultExport: vite asks for one.
export default async () => playgroundBuild(await readDeck(root), root);
