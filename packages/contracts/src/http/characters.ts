// Control characters, unpaired surrogates and code points that are no characters are never allowed in a text, because
// they break logs, mails and CSV files.
const broken = String.raw`\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}`;

// Characters that change the direction of all following text, beyond the words for which they are meant.
const reordering = String.raw`\u202a-\u202e\u2066-\u2069`;

// Characters that are shown as nothing or as a blank, and have no use in writing: fillers, blanks, musical and
// annotation marks, old formatting.
const blank = String.raw`\u115f\u1160\u17b4\u17b5\u180e\u2028\u2029\u2061-\u2065\u206a-\u206f\u2800\u3164\ufeff\uffa0\ufff9-\ufffb\u{1d173}-\u{1d17a}`;

// Characters that are useful in prose, such as at the end of a line or between two writing directions, but not in a
// name.
const invisible = String.raw`\u00ad\u034f\u061c\u200b\u200e\u200f\u2060`;

// `tags` are the invisible letters inside some flags. `selectors` choose a variant of the character before them.
const tags = String.raw`\u{e0000}-\u{e007f}`;
const selectors = String.raw`\ufe00-\ufe0f\u{e0100}-\u{e01ef}`;

// The scripts in which U+200C and U+200D change how letters join.
const joining = ['Arabic', 'Syriac', 'Mongolian', 'Nko', 'Devanagari', 'Bengali', 'Gurmukhi', 'Gujarati', 'Oriya']
  .concat(['Tamil', 'Telugu', 'Kannada', 'Malayalam', 'Sinhala', 'Khmer', 'Myanmar', 'Tibetan', 'Adlam', 'Balinese'])
  .concat(['Javanese', 'Kaithi', 'Newa', 'Tirhuta'])
  .map((script) => String.raw`\p{Script=${script}}`)
  .join('');

// Where a joiner is allowed: between two letters of these scripts. U+200D is also allowed after a mark, as at the end
// of a Malayalam word, and between two emoji.
const joinerInPlace = new RegExp(
  String.raw`(?<=[${joining}]\p{M}*)[\u200c\u200d](?=[${joining}])|(?<=[${joining}]\p{M}+)\u200d|` +
    String.raw`(?<=\p{Extended_Pictographic}[\ufe0f\p{Emoji_Modifier}]?)\u200d(?=\p{Extended_Pictographic})`,
  'gu',
);
const flag = /\u{1f3f4}[\u{e0030}-\u{e0039}\u{e0061}-\u{e007a}]{1,6}\u{e007f}/gu;
const everySelectorAlone = new RegExp(`(?<![${selectors}])(?<=.)[${selectors}]`, 'gsu');

const notInNames = new RegExp(`[${broken}${reordering}${blank}${invisible}${tags}${selectors}\u200c\u200d]`, 'u');
const notInProse = new RegExp(`(?![\\n\\t])[${broken}${reordering}${blank}${tags}${selectors}]`, 'u');

/**
 * Whether a line is shown as it is: it contains no invisible characters and none that change the direction of the text
 * after them.
 */
export function isVisibleLine(line: string): boolean {
  // A fast check for nearly all names: in Latin-1, only control characters and the soft hyphen are refused.
  if (/^[\x20-\x7e\xa0-\xac\xae-\xff]*$/.test(line)) return true;
  const visible = line.replaceAll(flag, '').replaceAll(joinerInPlace, '').replaceAll(everySelectorAlone, '');
  return !notInNames.test(visible);
}

/** The same check for prose of several lines, in which soft hyphens and marks of direction are allowed. */
export function isVisibleProse(text: string): boolean {
  if (/^[\n\t\x20-\x7e\xa0-\xff]*$/.test(text)) return true;
  return !notInProse.test(text.replaceAll(flag, '').replaceAll(everySelectorAlone, ''));
}

/**
 * The text without the characters that `isVisibleLine` refuses. Joiners are removed only where they are not allowed.
 */
export function withoutInvisible(line: string): string {
  if (isVisibleLine(line)) return line;
  const kept = new Set(
    [...line.matchAll(joinerInPlace), ...line.matchAll(everySelectorAlone)].map(({ index }) => index),
  );
  return line.replaceAll(/./gsu, (sign, at: number) => (kept.has(at) || !notInNames.test(sign) ? sign : ''));
}
