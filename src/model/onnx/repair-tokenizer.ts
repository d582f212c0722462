/** A part of a tokenizer.json; only what the repair looks at. */
interface PreTokenizer {
  readonly type?: string;
  readonly individual_digits?: boolean;
  readonly pretokenizers?: readonly PreTokenizer[];
}

/**
 * A tokenizer.json whose Digits step splits at every kind of number.
 *
 * @huggingface/tokenizers 0.2.0 knows ASCII digits there, while the Rust library also splits at
 * `²`, `½`, `٣` and the rest of \p{N}: without the repair, texts with such characters get other
 * ids than the model was trained on. The Split step put in its place means the same to both.
 */
export function repairDigits(
  tokenizer: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const step = tokenizer["pre_tokenizer"] as PreTokenizer | null | undefined;
  return step ? { ...tokenizer, pre_tokenizer: repairStep(step) } : tokenizer;
}

function repairStep(step: PreTokenizer): unknown {
  if (step.type === "Sequence") {
    return { ...step, pretokenizers: (step.pretokenizers ?? []).map(repairStep) };
  }
  if (step.type !== "Digits") return step;
  const pattern = { Regex: step.individual_digits ? "\\p{N}" : "\\p{N}+" };
  return { type: "Split", pattern, behavior: "Isolated", invert: false };
}
