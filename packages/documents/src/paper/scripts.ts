/** The fonts of documents. */
export type Face = 'sans' | 'arabic' | 'hebrew' | 'thai' | 'sc' | 'tc' | 'jp' | 'kr';

/** The variant of Chinese characters: simplified, traditional, Japanese or Korean. */
export type Han = Extract<Face, 'sc' | 'tc' | 'jp' | 'kr'>;

const eastAsian =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3000-\u303f\u30fb\u30fc\u3200-\u33ff\ufe30-\ufe4f\uff00-\uffef]/u;
const [arabic, hebrew, thai] = [/\p{scx=Arabic}/u, /\p{scx=Hebrew}/u, /\p{scx=Thai}/u];
const joining = /[\p{scx=Arabic}\p{scx=Hebrew}\p{scx=Thai}\p{scx=Devanagari}]/u;
const rightToLeft = /(?!\p{N})[\p{Script=Arabic}\p{Script=Hebrew}\u200f\u061b\u061f]/u;
const allForms: readonly Han[] = ['sc', 'tc', 'jp', 'kr'];

/** Whether the text has a script whose letters join or carry marks that must be placed. */
export function joins(text: string): boolean {
  return joining.test(text);
}

/** Whether a part of the text is written from right to left. */
export function isRightToLeft(text: string): boolean {
  return rightToLeft.test(text);
}

/** Whether the text has East Asian characters. A line may end between them without a space. */
export function isEastAsian(text: string): boolean {
  return eastAsian.test(text);
}

export function isThai(text: string): boolean {
  return thai.test(text);
}

/** The fonts that may contain the character, the best one first. */
export function facesFor(character: string, han: Han): readonly Face[] {
  if (eastAsian.test(character)) return [han, ...allForms.filter((each) => each !== han), 'sans'];
  if (arabic.test(character)) return ['arabic', 'sans'];
  if (hebrew.test(character)) return ['hebrew', 'sans'];
  return thai.test(character) ? ['thai', 'sans'] : ['sans'];
}

/**
 * The variant of Chinese characters to use for a text. If the text also has Japanese, Korean or Taiwanese letters,
 * these decide, otherwise the country from which the text comes. The default is simplified.
 */
export function hanOf(text: string, country: string): Han {
  if (/[\p{Script=Hiragana}\p{Script=Katakana}]/u.test(text)) return 'jp';
  if (/\p{Script=Hangul}/u.test(text)) return 'kr';
  if (/\p{Script=Bopomofo}/u.test(text)) return 'tc';
  return formsOf[country] ?? 'sc';
}

const formsOf: Readonly<Record<string, Han>> = { JP: 'jp', KR: 'kr', KP: 'kr', TW: 'tc', HK: 'tc', MO: 'tc' };
