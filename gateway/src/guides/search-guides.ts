import type { Guide, Section } from './read-guides.ts';

/** A section of a guide in which all words were found. */
export interface Hit {
  readonly guide: Pick<Guide, 'name' | 'title'>;
  readonly section: Section;
  /** The text around the first word that was found. */
  readonly excerpt: string;
}

const [mostHits, excerptLength] = [30, 160];

/**
 * Finds the sections that contain all words of the query, in any case and as parts of longer words. Sections with the
 * words in their heading come first, then those with most of them. No words find nothing.
 */
export function searchGuides(guides: readonly Guide[], query: string): readonly Hit[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const found = guides.flatMap((guide) =>
    guide.sections.flatMap((section) => {
      const heading = section.heading.toLowerCase();
      const text = section.text.toLowerCase();
      if (!words.every((word) => heading.includes(word) || text.includes(word))) return [];
      const inHeading = words.filter((word) => heading.includes(word)).length;
      const inText = words.reduce((sum, word) => sum + text.split(word).length - 1, 0);
      return [{ guide, section, excerpt: excerptOf(section.text, words), rank: inHeading * 1000 + inText }];
    }),
  );
  return found.toSorted((one, other) => other.rank - one.rank).slice(0, mostHits);
}

function excerptOf(text: string, words: readonly string[]): string {
  const lower = text.toLowerCase();
  const places = words.map((word) => lower.indexOf(word)).filter((place) => place >= 0);
  const start = Math.max(0, Math.min(...places, text.length) - excerptLength / 4);
  const part = text.slice(start, start + excerptLength);
  return `${start > 0 ? '…' : ''}${part}${start + excerptLength < text.length ? '…' : ''}`;
}
