/** In lower case, `İ` becomes an i and a separate dot above it. Marks below the letter come before this dot. */
const dotOfI = /(i\p{M}*?)\u0307/gu;

/**
 * Makes the form in which texts that people write are compared. These count as the same: upper and lower case, letters
 * for which Unicode has several forms, and i, I, dotted İ and dotless ı, because people use `I` for either. Accents
 * stay. The result does not depend on the locale and may be longer than the text. Folding a folded text changes
 * nothing.
 */
export function foldText(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase().normalize('NFD');
  return lower.replaceAll('\u0131', 'i').replaceAll(dotOfI, '$1').normalize('NFC');
}
