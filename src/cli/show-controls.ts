/**
 * Control characters but tab and line feed, and those that turn the direction of writing: a name,
 * a path or a server's words could otherwise move the cursor, colour the screen or hide a part of
 * a line.
 */
const CONTROLS = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** A text for people with its control characters written as `\u001b`. JSON stays the same JSON. */
export function showControls(text: string): string {
  return text.replace(CONTROLS, (character) =>
    character === "\n" || character === "\t"
      ? character
      : `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );
}
