import { searchForm } from '@storefront/contracts';

const maxLength = 80;
const maxNumbered = 50;

/** Makes a slug from a name. Returns `fallback` if no letter or digit of the name is allowed in a web address. */
export function slugOf(name: string, fallback: string): string {
  const slug = searchForm(name)
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, maxLength)
    .replaceAll(/^-+|-+$/g, '');
  return slug === '' ? fallback : slug;
}

/** The slugs to try for a name, in this order. The last one contains a part of the id, so it is always free. */
export function slugCandidates(name: string, id: string): string[] {
  const slug = slugOf(name, id.slice(0, id.indexOf('_')));
  const numbered = Array.from({ length: maxNumbered }, (_, index) => `${slug}-${index + 2}`);
  return [slug, ...numbered, `${slug}-${id.slice(-12)}`];
}

/** The slugs to try, in this order: only the requested slug, or slugs made from the name. */
export function slugsFor(input: { readonly slug?: string | undefined; readonly name: string }, id: string): string[] {
  return input.slug === undefined ? slugCandidates(input.name, id) : [input.slug];
}
