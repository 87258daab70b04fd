// Control characters, halves of surrogate pairs and code points that are no characters have no place in any text, and break
// logs, mails and CSV files.
const broken = String.raw`\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}`;

// They turn around what stands behind them, beyond the words that they are meant for.
const reordering = String.raw`\u202a-\u202e\u2066-\u2069`;

// Shown as nothing, or as a blank, and of no use in writing: fillers, blanks, musical and annotation marks, old formatting.
const blank = String.raw`\u115f\u1160\u17b4\u17b5\u180e\u2028\u2029\u2061-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}`;

// Of use in prose, such as at the end of a line or between two directions, and of none in a name.
const invisible = String.raw`\u00ad\u034f\u061c\u200b\u200e\u200f\u2060`;

// Letters of tags in flags, and what selects a variant of the letter before.
const tags = String.raw`\u{e0000}-\u{e007f}`;
const selectors = String.raw`\ufe00-\ufe0f\u{e0100}-\u{e01ef}`;

// The scripts in which U+200C and U+200D change how letters join.
const joining = ['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya']
  .concat(['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Adlam', 'Balinese'])
  .concat(['Javanese', 'Kaithi', 'Newa', 'Tirhuta'])
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');

// Between two letters; or, for U+200D, after a mark too, as at the end of a Malayalam word, and between two pictures.
const joinerInPlace = new RegExp(
  String.raw`(?<=[${joining}]\p{M}*)[\u200c\u200d](?=[${joining}])|(?<=[${joining}]\p{M}+)\u200d|` +
    String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
  'gu',
);
const flag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}/gu;
const everySelectorAlone = new RegExp(`(?<![${selectors}])(?<=.)[${selectors}]`, 'gsu');

const notInNames = new RegExp(`[${broken}${reordering}${blank}${invisible}${tags}${selectors}\u200c\u200d]`, 'u');
const notInProse = new RegExp(`(?![\\n\\t])[${broken}${reordering}${blank}${tags}${selectors}]`, 'u');

/** Whether a line of text can be seen as it is: nothing in it is invisible, or changes the direction of the text after it. */
export function isVisibleLine(line: string): boolean {
  // Nearly all names: everything that is refused lies beyond Latin-1, but control characters and the soft hyphen.
  if (/^[\x20-\x7e\xa0-\xac\xae-\xff]*$/.test(line)) return true;
  const visible = line.replaceAll(flag, '').replaceAll(joinerInPlace, '').replaceAll(everySelectorAlone, '');
  return !notInNames.test(visible);
}

/** The same for prose of several lines, in which a soft hyphen or a mark of direction has its use. */
export function isVisibleProse(text: string): boolean {
  if (/^[\n\t\x20-\x7e\xa0-\xff]*$/.test(text)) return true;
  return !notInProse.test(text.replaceAll(flag, '').replaceAll(everySelectorAlone, ''));
}

/** The text without what `isVisibleLine` refuses; joiners go where they are out of place. */
export function withoutInvisible(line: string): string {
  if (isVisibleLine(line)) return line;
  const kept = new Set(
    [...line.matchAll(joinerInPlace), ...line.matchAll(everySelectorAlone)].map(({ index }) => index),
  );
  return line.replaceAll(/./gsu, (sign, at: number) => (kept.has(at) || !notInNames.test(sign) ? sign : ''));
}
