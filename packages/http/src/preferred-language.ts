/**
 * Returns the offered language that a client wants most by its header `Accept-Language` (RFC 9110, 12.5.4); undefined where it
 * wants none of them, or any other as much. A range such as `de-AT` fits `de` (the lookup of RFC 4647, 3.4).
 */
export function preferredLanguage<Language extends string>(
  header: string | undefined,
  offered: readonly Language[],
): Language | undefined {
  const ranges = (header ?? '')
    .toLowerCase()
    .split(',', maxRanges)
    .map((text) => range.exec(text))
    .flatMap((found) => (found ? [{ tag: found[1] ?? '', quality: Number(found[2] ?? 1) }] : []))
    .filter(({ quality }) => quality > 0)
    // The order of the header decides between equals.
    .toSorted((one, other) => other.quality - one.quality);
  for (const { tag } of ranges) {
    if (tag === '*') return undefined;
    const fitting = offered.find((language) => tag === language || tag.startsWith(`${language}-`));
    if (fitting !== undefined) return fitting;
  }
  return undefined;
}

// Browsers send fewer than ten.
const maxRanges = 50;
const range = /^\s*(\*|[a-z]{1,8}(?:-[a-z0-9]{1,8})*)\s*(?:;\s*q\s*=\s*(0(?:\.\d{0,3})?|1(?:\.0{0,3})?)\s*)?$/;
