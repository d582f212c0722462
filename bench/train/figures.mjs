// Small things that the tables share.

export function median(values) {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
}

/** A row of a table in Markdown. */
export const row = (cells) => `| ${cells.join(" | ")} |`;

/** Tokens that the model reads of a list of rows, each prompt once. */
export function tokensOf(rows) {
  const ofRow = ({ prompt, answers }) =>
    answers.reduce((sum, { targets }) => sum + targets.length - 1, prompt.length);
  return rows.reduce((sum, each) => sum + ofRow(each), 0);
}
