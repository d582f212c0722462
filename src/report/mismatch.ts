/** What it means that a field of two runs differs, by the beginning of the warning that says so. */
const MEANINGS: Readonly<Record<string, string>> = {
  "set.digest": "These runs are of different scenario sets, so a difference is not the arms' alone",
  "prompt.template":
    "These runs asked with different prompts, so a difference may be the prompts' and not the models'",
  situation:
    "These runs showed different situations under one id, so they answered other questions",
  gold: "These runs have different gold labels for one id, so right and wrong mean different things",
};

/** A warning of a comparison as people say it, with what was found in brackets. */
export function inWords(warning: string): string {
  const field = Object.keys(MEANINGS).find((name) => warning.startsWith(`${name}: `));
  return field === undefined ? warning : `${MEANINGS[field]} (${warning}).`;
}
