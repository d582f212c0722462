import { type Markish, type PlotOptions, plot } from "@observablehq/plot";
import { parseHTML } from "linkedom";
import { plainText } from "./plain-text.ts";
import { COLOURS, paint, THEMES } from "./theme.ts";

/** Width of every drawing, in pixels: what the smallest phone shows without shrinking letters. */
export const WIDTH = 328;

/** Size of letters, in pixels. */
const LETTERS = 12;

/** One finished drawing. */
export interface Drawing {
  /** Unique in a report; also its file name. */
  readonly name: string;
  readonly title: string;
  /** What it shows, in words, for who cannot see it. */
  readonly description: string;
  /** For a page that defines the theme's colours. */
  readonly inline: string;
  /** A file of its own, in the light theme's colours. */
  readonly file: string;
}

/** What {@link draw} takes: a name, words, and the marks and scales of Observable Plot. */
export interface DrawOptions
  extends Pick<
    PlotOptions,
    "x" | "y" | "opacity" | "marginTop" | "marginRight" | "marginBottom" | "marginLeft"
  > {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly height: number;
  readonly marks: readonly Markish[];
}

/** The parts of the DOM that are needed here. */
interface SvgElement {
  readonly attributes: Iterable<{ readonly name: string; value: string }>;
  readonly outerHTML: string;
  textContent: string;
  querySelector(selector: string): SvgElement | null;
  querySelectorAll(selector: string): Iterable<SvgElement>;
  setAttribute(name: string, value: string): void;
  removeAttribute(name: string): void;
  prepend(...children: SvgElement[]): void;
  after(next: SvgElement): void;
  remove(): void;
}

interface SvgDocument {
  createElementNS(space: string, name: string): SvgElement;
}

const SVG = "http://www.w3.org/2000/svg";

/** Draws marks with Observable Plot, without a browser. */
export function draw({ name, title, description, height, marks, ...scales }: DrawOptions): Drawing {
  const { document } = parseHTML("<!doctype html><html></html>") as unknown as {
    document: SvgDocument;
  };
  const svg = plot({
    ...scales,
    document: document as never,
    width: WIDTH,
    height,
    marks: [...marks],
  }) as unknown as SvgElement;
  // Plot's own style sheet, the same in every drawing: the page has its rules.
  svg.querySelector("style")?.remove();
  for (const [attribute, value] of Object.entries({
    class: "drawing",
    role: "img",
    "font-size": String(LETTERS),
    "aria-labelledby": `${name}-title ${name}-desc`,
  })) {
    svg.setAttribute(attribute, value);
  }
  for (const element of svg.querySelectorAll("*")) tidy(element);
  svg.prepend(
    textElement(document, "title", `${name}-title`, title),
    textElement(document, "desc", `${name}-desc`, description),
  );
  return { name, title, description, inline: svg.outerHTML, file: fileOf(document, svg, height) };
}

/** Labels that only repeat which mark an element came from say nothing to a reader. */
function tidy(element: SvgElement): void {
  element.removeAttribute("aria-label");
  for (const attribute of element.attributes) {
    if (/\d\.\d{3}/.test(attribute.value)) {
      // Hundredths of a pixel cannot be seen, and the last digits differ between processors.
      attribute.value = attribute.value.replace(/-?\d+\.\d+/g, (number) =>
        String(Math.round(Number(number) * 100) / 100),
      );
    }
  }
}

function textElement(document: SvgDocument, tag: string, id: string, text: string): SvgElement {
  const element = document.createElementNS(SVG, tag);
  element.setAttribute("id", id);
  element.textContent = plainText(text);
  return element;
}

/** Colours by value, not by name, since few programs besides browsers know variables. */
function fileOf(document: SvgDocument, svg: SvgElement, height: number): string {
  const values = new Map(COLOURS.map((colour) => [paint(colour), THEMES.light[colour]]));
  for (const element of [svg, ...svg.querySelectorAll("*")]) {
    for (const attribute of element.attributes) {
      attribute.value = values.get(attribute.value) ?? attribute.value;
    }
  }
  const paper = document.createElementNS(SVG, "rect");
  const size = { width: String(WIDTH), height: String(height), fill: THEMES.light.paper };
  for (const [attribute, value] of Object.entries(size)) paper.setAttribute(attribute, value);
  svg.querySelector("desc")?.after(paper);
  svg.setAttribute("xmlns", SVG);
  svg.setAttribute("color", THEMES.light.ink);
  return `${svg.outerHTML}\n`;
}
