// A spreadsheet runs a text that begins with one of these signs as a formula, also after blanks, and also the wide forms
// of the signs. Apostrophes before the sign belong to the pattern, so that `unguarded` takes away exactly what `guarded`
// has added.
const formula = /^'*\s*[=+\-@\t\r＝＋－＠]/u;

/**
 * The text as a cell that no spreadsheet runs as a formula: an apostrophe is put in front of what would be one, or would be
 * one without its apostrophes.
 */
export function guarded(text: string): string {
  return formula.test(text) ? `'${text}` : text;
}

/** The text of a cell that `guarded` has made. Other texts stay as they are. */
export function unguarded(cell: string): string {
  return cell.startsWith("'") && formula.test(cell) ? cell.slice(1) : cell;
}
