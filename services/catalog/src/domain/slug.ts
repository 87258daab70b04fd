import { fold } from './words.ts';

const longest = 80;
const tries = 50;

/** The slug of a name: what is left of it in a web address; `fallback` where nothing is. */
export function slugOf(name: string, fallback: string): string {
  const slug = fold(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, longest)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? fallback : slug;
}

/** What to try in turn when the slug of a name is taken; the last one ends like the id, and so is free. */
export function slugCandidates(name: string, id: string): string[] {
  const slug = slugOf(name, id.slice(0, id.indexOf('_')));
  const numbered = Array.from({ length: tries }, (_, index) => `${slug}-${index + 2}`);
  return [slug, ...numbered, `${slug}-${id.slice(-12)}`];
}
