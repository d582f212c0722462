/** What stands in the place of a secret. */
export const REDACTED = "[redacted]";

/** Shorter values are placeholders such as `EMPTY` or `none`, and could stand in any text. */
const SHORTEST_SECRET = 6;

/** All texts inside a value of JSON, redacted. */
export function redactAll(value: unknown, redact: (text: string) => string): unknown {
  if (typeof value === "string") return redact(value);
  if (Array.isArray(value)) return value.map((item) => redactAll(item, redact));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [redact(key), redactAll(inner, redact)]),
  );
}

/**
 * A function that takes secrets out of texts: as they are, and as a server may repeat them, in
 * base64, in a URL or inside JSON.
 */
export function makeRedactor(secrets: readonly string[]): (text: string) => string {
  const forms = secrets
    .filter((secret) => secret.length >= SHORTEST_SECRET)
    .flatMap((secret) => [
      secret,
      encodeURIComponent(secret),
      JSON.stringify(secret).slice(1, -1),
      Buffer.from(secret).toString("base64"),
    ]);
  // Longer forms first: a secret may be part of another.
  const ordered = [...new Set(forms)].sort((a, b) => b.length - a.length);
  return (text) => ordered.reduce((left, form) => left.replaceAll(form, REDACTED), text);
}
