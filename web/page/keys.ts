import { LABELS, type Label } from "../../src/index.ts";

/** What the page does on keys. */
export interface KeyActions {
  readonly isOn: () => boolean;
  readonly choose: (label: Label) => void;
  readonly next: () => void;
}

/** Listens for 1 to 5, N and Enter, except where keys mean something else already. */
export function listenToKeys({ isOn, choose, next }: KeyActions): void {
  document.addEventListener("keydown", (event) => {
    const isChord = event.ctrlKey || event.altKey || event.metaKey || event.isComposing;
    if (event.repeat || isChord || !isOn() || isInside(event, "textarea, select, input")) return;
    const label = /^[1-5]$/.test(event.key) ? LABELS[Number(event.key) - 1] : undefined;
    // Enter on a button or link presses that.
    const isEnter = event.key === "Enter" && !isInside(event, "button, a");
    if (label) choose(label);
    else if (isEnter || event.key === "n" || event.key === "N") next();
    else return;
    event.preventDefault();
  });
}

function isInside({ target }: Event, selector: string): boolean {
  return target instanceof Element && target.closest(selector) !== null;
}
