/** `İ` in lower case is an i and a dot above it. Marks below the letter come before the dot. */
const dotOfI = /(i\p{M}*?)\u0307/gu;

/**
 * The form in which texts that people write are compared. The same are letters in either case, forms of one letter that Unicode tells
 * apart, and i, I, dotted İ and dotless ı, since who writes `I` may mean either. Accents stay. It depends on no locale, changes nothing
 * that is folded, and may be longer than the text.
 */
export function foldText(text: string): string {
  const lower = text.normalize('NFKC').toLowerCase().normalize('NFD');
  return lower.replaceAll('\u0131', 'i').replaceAll(dotOfI, '$1').normalize('NFC');
}
