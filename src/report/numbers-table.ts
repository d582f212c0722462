import type { Numbers } from "./figure.ts";
import { html, type Markup } from "./markup.ts";

/** A table that scrolls sideways where it does not fit, by keyboard, too. */
export function numbersTable({ head, rows }: Numbers, caption: string): Markup {
  return html`<div class="scroll" tabindex="0" role="region" aria-label="${caption}"><table>
<caption>${caption}</caption>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(rowOf)}</tbody>
</table></div>`;
}

function rowOf([name = "", ...cells]: readonly string[]): Markup {
  return html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`;
}
