import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { InlineConfig, Plugin } from "vite";
import { THEMES } from "../../src/report/theme.ts";
import type { Deck } from "../page/deck.ts";
import { assemblePage } from "./assemble.ts";

/** The file that a build writes, in `web/dist`. */
export const PAGE_FILE = "playground.html";

/** Its style sheets, in the order in which they apply. */
const STYLES = ["page", "play", "table", "tools"];

/**
 * How vite builds the page around a deck.
 *
 * @param root the repository's folder
 */
export function playgroundBuild(deck: Deck, root: string): InlineConfig {
  const web = join(root, "web");
  return {
    configFile: false,
    mode: "production",
    root: web,
    publicDir: false,
    logLevel: "warn",
    plugins: [onePage(deck, web)],
    build: {
      outDir: "dist",
      emptyOutDir: false,
      rolldownOptions: {
        input: join(web, "page/main.ts"),
        output: { format: "iife", entryFileNames: "playground.js" },
      },
    },
  };
}

/** Puts the one script that the build makes into the page, and keeps nothing else. */
function onePage(deck: Deck, web: string): Plugin {
  const read = (path: string) => readFileSync(join(web, path), "utf8");
  return {
    name: "one-page",
    enforce: "post",
    generateBundle(_, bundle) {
      const [script, ...others] = Object.values(bundle);
      if (script?.type !== "chunk" || others.length > 0) {
        throw new Error(`expected one script, got ${Object.keys(bundle).join(", ")}`);
      }
      delete bundle[script.fileName];
      const source = assemblePage({
        template: read("playground.html"),
        style: paletteStyle() + STYLES.map((name) => read(`page/style/${name}.css`)).join(""),
        script: script.code,
        deck,
      });
      this.emitFile({ type: "asset", fileName: PAGE_FILE, source });
    },
  };
}

/** The report's colours, so that both pages look alike. */
function paletteStyle(): string {
  const rule = (colours: Readonly<Record<string, string>>) => {
    const values = Object.entries(colours).map(([name, value]) => `--${name}:${value}`);
    return `:root{${values.join(";")}}`;
  };
  return `${rule(THEMES.light)}@media (prefers-color-scheme: dark){${rule(THEMES.dark)}}\n`;
}
