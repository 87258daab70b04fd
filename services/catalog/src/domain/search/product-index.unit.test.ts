import { catalogHttp, searchForm } from '@storefront/contracts';
import * as fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { stemOf, wordsOfProduct, wordsOfQuery, wordsOfText } from '../words.ts';
import type { IndexedCategory, IndexedProduct } from './indexed-product.ts';
import { ProductIndex, type IndexQuery } from './product-index.ts';

const corpusSize = inject('isProof') ? 5000 : 1200;

const vocabulary = [
  [
    'coffee',
    'Coffee',
    'cofee',
    'coffees',
    'toffee',
    'mug',
    'mugs',
    'crème',
    'brûlée',
    'smørrebrød',
    'señorita',
    'cafe',
  ],
  ['Straße', 'strasse', 'Becher', 'Bücher', 'grüner', 'grün', 'weißer', 'Kaffee'],
  ['kahve', 'IŞIK', 'ışıklı', 'fincan', 'fincanı', 'İstanbul', 'bardak'],
  ['καφές', 'καφέδες', 'ΚΑΦΕΣ', 'φλιτζάνι', 'φλυτζάνι', 'πράσινο'],
  ['чашка', 'чашки', 'ЧАШКА', 'зелёный', 'зеленый', 'чай', 'кофейник'],
  ['红茶', '绿茶', '茶', '茶杯', '正山小种红茶', '中国'],
  ['抹茶', 'ギフト', 'ｷﾞﾌﾄ', 'コーヒー', 'コーヒーカップ', 'お茶'],
  ['กาแฟ', 'ถ้วย', 'ถ้วยกาแฟ', 'ชา', 'แก้ว'],
  ['مُحَمَّد', 'محمد', 'قهوة', 'القهوة', 'أخضر'],
  ['שָׁלוֹם', 'שלום', 'ספל', 'כחולים', 'כחול'],
  ['मसाला', 'चाय', 'प्याला', 'हिन्दी', 'हिंदी'],
  ['한국어', '홍차', '찻잔', '홍', '커피메이커', '커피메어커'],
  ['12', '12345', '12346', 'tea-0042', 'x1', 'a'],
];
const word = fc.oneof(...vocabulary.map((words) => fc.constantFrom(...words)));
const textOf = (most: number) => fc.array(word, { minLength: 1, maxLength: most }).map((words) => words.join(' '));

const categoryIds = ['cat_1', 'cat_2', 'cat_3', 'cat_4', 'cat_5'];
const paths: Record<string, string[]> = {
  cat_1: [],
  cat_2: ['cat_1'],
  cat_3: ['cat_1', 'cat_2'],
  cat_4: ['cat_1'],
  cat_5: [],
};
const category = fc
  .record({ id: fc.constantFrom(...categoryIds), name: textOf(2), visible: fc.boolean() })
  .map(({ id, name, visible }): IndexedCategory => ({
    id,
    name,
    slug: id.replace('_', '-'),
    path: paths[id] ?? [],
    visible,
  }));
const attributeNames = ['colour', 'size', 'constructor'];
const attributeValue = fc.constantFrom('blue', 'red', 'Deep blue, matt', '10', 'true', 'кофейник');
const productFields = {
  name: textOf(4),
  sku: fc.constantFrom('TEA-0042', 'MUG-1', 'COFFEE-12345'),
  description: fc.option(textOf(6)),
  attributes: fc.uniqueArray(fc.tuple(fc.constantFrom(...attributeNames), attributeValue), { maxLength: 4 }),
  categoryIds: fc.uniqueArray(fc.constantFrom(...categoryIds), { maxLength: 3 }),
  price: fc.oneof(fc.integer({ min: 0, max: 30 }), fc.integer({ min: 0, max: 100_000 })),
  inStock: fc.boolean(),
  status: fc.constantFrom(...catalogHttp.productStatus.options),
  createdAt: fc.integer({ min: 0, max: 50 }).map((seconds) => new Date(seconds * 1000)),
};
const product = (id: fc.Arbitrary<number>) =>
  fc
    .record({ id, ...productFields })
    .map(({ id: number, name, sku, description, attributes, ...fields }): IndexedProduct => ({
      ...fields,
      id: `prod_${String(number).padStart(6, '0')}`,
      version: 1,
      nameKey: searchForm(name),
      texts: { name, skus: [sku], texts: attributes.map(([, value]) => value), description },
      attributes,
    }));

/** A word with one letter that is another, missing, added or swapped, or the beginning of a word, or the word itself. */
const queriedWord = fc.oneof(
  word,
  fc
    .tuple(
      word,
      fc.nat(),
      fc.constantFrom('other', 'missing', 'added', 'swapped', 'beginning'),
      fc.constantFrom('e', 'и', '커'),
    )
    .map(([text, random, kind, letter]) => {
      const letters = Array.from(text);
      const at = random % letters.length;
      if (kind === 'beginning') return letters.slice(0, at + 1).join('');
      if (kind === 'swapped')
        return [...letters.slice(0, at), letters[at + 1] ?? '', letters[at], ...letters.slice(at + 2)].join('');
      const rest = letters.slice(kind === 'added' ? at : at + 1);
      return [...letters.slice(0, at), kind === 'missing' ? '' : letter, ...rest].join('');
    }),
);
const facetFields = ['category', 'price', 'inStock', ...attributeNames.map((name) => `attr.${name}`)];
const query = fc
  .record({
    q: fc.option(fc.array(queriedWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))),
    ids: fc.option(fc.array(fc.nat(40).map((number) => `prod_${String(number).padStart(6, '0')}`)), { freq: 8 }),
    statuses: fc.constantFrom(['active'] as const, catalogHttp.productStatus.options),
    category: fc.option(fc.uniqueArray(fc.constantFrom(...categoryIds), { minLength: 1, maxLength: 2 })),
    minPrice: fc.option(fc.integer({ min: 0, max: 30 }), { nil: undefined, freq: 2 }),
    maxPrice: fc.option(fc.integer({ min: 10, max: 200_000 }), { nil: undefined, freq: 2 }),
    inStock: fc.option(fc.boolean(), { nil: undefined }),
    attributes: fc.uniqueArray(
      fc.tuple(fc.constantFrom(...attributeNames), fc.uniqueArray(attributeValue, { minLength: 1, maxLength: 3 })),
      { maxLength: 2, selector: ([name]) => name },
    ),
    onlyVisible: fc.boolean(),
    sort: fc.constantFrom(...catalogHttp.productSort.options),
    facets: fc.uniqueArray(fc.constantFrom(...facetFields)),
    limit: fc.integer({ min: 1, max: 7 }),
  })
  .filter(({ q, sort }) => q !== null || sort !== 'relevance');
type Query = typeof query extends fc.Arbitrary<infer Value> ? Value : never;

/** Sees every change of a product or a category. */
const everything: Query = {
  q: null,
  ids: null,
  statuses: catalogHttp.productStatus.options,
  category: null,
  minPrice: undefined,
  maxPrice: undefined,
  inStock: undefined,
  attributes: [],
  onlyVisible: false,
  sort: 'price',
  facets: facetFields,
  limit: 7,
};
const onlyActive: Query = { ...everything, statuses: ['active'] };

class Shop {
  readonly products = new Map<string, IndexedProduct>();
  readonly categories = new Map<string, IndexedCategory>();
  readonly index = new ProductIndex();

  put(added: IndexedProduct | IndexedCategory): void {
    if ('visible' in added) {
      this.categories.set(added.id, added);
      this.index.putCategory(added);
    } else {
      this.products.set(added.id, added);
      this.index.putProduct(added);
    }
  }

  change(id: string, fields: Partial<IndexedProduct>): void {
    const known = this.products.get(id);
    if (known) this.put({ ...known, ...fields, version: known.version + 1 });
  }

  remove(id: string): void {
    this.products.delete(id);
    this.categories.delete(id);
    this.index.removeProduct(id);
    if (id.startsWith('cat')) this.index.removeCategory(id);
  }

  branch(id: string): string[] {
    if (!this.categories.has(id)) return [];
    return [...this.categories.values()]
      .filter((each) => each.id === id || each.path.includes(id))
      .map((each) => each.id);
  }
}

/** All words that one letter makes of a word: another one, a missing one, or two swapped. */
function shorterAndSwapped(text: string): string[] {
  const at = Array.from({ length: text.length }, (_, index) => index);
  const swapped = at.slice(1).map((i) => `${text.slice(0, i - 1)}${text[i]}${text[i - 1]}${text.slice(i + 1)}`);
  return [
    ...swapped,
    ...at.map((i) => `${text.slice(0, i)}?${text.slice(i + 1)}`),
    ...at.map((i) => text.slice(0, i) + text.slice(i + 1)),
  ];
}

/** Whether one letter is another, missing, added or swapped with the next, by its definition. */
function isTypoOf(one: string, other: string): boolean {
  if (one === other) return false;
  const [ofOne, ofOther] = [shorterAndSwapped(one), shorterAndSwapped(other)];
  const isReplaced = ofOne.some((text) => text.includes('?') && ofOther.includes(text));
  return isReplaced || ofOne.includes(other) || ofOther.includes(one);
}

/** For each word of the query the best match in the product, as [fit, place]; null where a word does not match. */
function matchesOf(shop: Shop, { texts, categoryIds: ids }: IndexedProduct, q: string, onlyVisible: boolean) {
  const words = wordsOfProduct(texts);
  const categories = ids
    .flatMap((id) => shop.categories.get(id) ?? [])
    .filter(({ visible }) => visible || !onlyVisible)
    .flatMap(({ name }) => wordsOfText(name));
  const placed = [words.name, [...words.skus, ...words.texts, ...categories], words.description];
  const isUnspaced = (text: string) => /[\p{scx=Hani}\p{scx=Hira}\p{scx=Kana}\p{scx=Thai}]/u.test(text);
  const onlyLetters = (text: string, least: number) => new RegExp(`^[\\p{L}\\p{M}]{${least},}$`, 'u').test(text);
  const queried = wordsOfQuery(q).map(({ text }) => text);
  const best = queried.map((text) => {
    const found = placed.flatMap((list, place) =>
      list.flatMap((of): (readonly [number, number])[] => {
        if (stemOf(of) === stemOf(text)) return [[0, place]];
        if (isUnspaced(text)) return [];
        if (of.startsWith(text)) return [[1, place]];
        return onlyLetters(text, 5) && onlyLetters(of, 4) && isTypoOf(text, of) ? [[2, place]] : [];
      }),
    );
    return found.toSorted((one, other) => one[0] - other[0] || one[1] - other[1])[0];
  });
  return best.length > 0 && best.every((match) => match !== undefined) ? best : null;
}

/** All that a search has to find, worked out product by product. */
function expected(shop: Shop, asked: Query) {
  const branches = asked.category?.flatMap((id) => shop.branch(id));
  const filters: Record<string, (of: IndexedProduct) => boolean> = {
    ...(branches && { category: (of) => of.categoryIds.some((id) => branches.includes(id)) }),
    price: ({ price }) => price >= (asked.minPrice ?? 0) && price <= (asked.maxPrice ?? Infinity),
    inStock: ({ inStock }) => asked.inStock === undefined || inStock === asked.inStock,
    ...Object.fromEntries(
      asked.attributes.map(([name, values]) => [
        `attr.${name}`,
        (of: IndexedProduct) =>
          of.attributes.some(([key, value]) => key === name && (values as string[]).includes(value)),
      ]),
    ),
  };
  const base = [...shop.products.values()]
    .filter(({ id, status }) => asked.statuses.includes(status as 'active') && (asked.ids?.includes(id) ?? true))
    .map((of) => ({ of, matches: asked.q === null ? [] : matchesOf(shop, of, asked.q, asked.onlyVisible) }))
    .flatMap(({ of, matches }) => (matches ? [{ of, matches }] : []));
  const without = (field: string) =>
    base
      .filter(({ of }) => Object.entries(filters).every(([name, filter]) => name === field || filter(of)))
      .map(({ of }) => of);
  const found = base.filter(({ of }) => Object.values(filters).every((filter) => filter(of)));

  const by = (compare: (one: string, other: string) => boolean) => (one: string, other: string) =>
    one === other ? 0 : compare(one, other) ? -1 : 1;
  const up = by((one, other) => one < other);
  const down = by((one, other) => one > other);
  const count = (matches: (typeof found)[number]['matches'], at: 0 | 1, value: number) =>
    matches.filter((match) => match?.[at] === value).length;
  const orders = {
    relevance: (one: (typeof found)[number], other: (typeof found)[number]) =>
      count(one.matches, 0, 2) - count(other.matches, 0, 2) ||
      count(one.matches, 0, 1) - count(other.matches, 0, 1) ||
      count(one.matches, 1, 2) - count(other.matches, 1, 2) ||
      count(one.matches, 1, 1) - count(other.matches, 1, 1) ||
      orders.newest(one, other),
    newest: ({ of: one }: (typeof found)[number], { of: other }: (typeof found)[number]): number =>
      other.createdAt.getTime() - one.createdAt.getTime() || down(one.id, other.id),
    price: ({ of: one }: (typeof found)[number], { of: other }: (typeof found)[number]) =>
      one.price - other.price || up(one.id, other.id),
    '-price': ({ of: one }: (typeof found)[number], { of: other }: (typeof found)[number]) =>
      other.price - one.price || down(one.id, other.id),
    name: ({ of: one }: (typeof found)[number], { of: other }: (typeof found)[number]) =>
      up(one.nameKey, other.nameKey) || up(one.id, other.id),
  };

  const values = (field: string, of: (one: IndexedProduct) => readonly (readonly [value: string, label: string])[]) => {
    const all = without(field).flatMap((one) => [...new Map(of(one).map((value) => [value[0], value])).values()]);
    const counts = [...Map.groupBy(all, ([value]) => value).values()].map((same) => {
      const [[value, label] = ['', '']] = same;
      return { value, label, count: same.length };
    });
    return counts
      .toSorted((one, other) => other.count - one.count || up(one.label, other.label) || up(one.value, other.value))
      .slice(0, 50);
  };
  const facets = asked.facets.map((field) => {
    if (field === 'price') return without(field).map(({ price }) => price);
    if (field === 'inStock') return values(field, ({ inStock }) => [[String(inStock), String(inStock)]]);
    if (field !== 'category')
      return values(field, (of) =>
        of.attributes.filter(([name]) => `attr.${name}` === field).map(([, value]) => [value, value]),
      );
    return values(field, (of) =>
      of.categoryIds
        .flatMap((id) => shop.categories.get(id) ?? [])
        .flatMap(({ id, path }) => [id, ...path])
        .flatMap((id) => shop.categories.get(id) ?? [])
        .filter(({ visible }) => visible || !asked.onlyVisible)
        .map(({ id, name }) => [id, name]),
    );
  });
  return { ids: found.toSorted(orders[asked.sort]).map(({ of }) => of.id), facets };
}

function expectRight(shop: Shop, asked: Query): void {
  const { q, category: categories, attributes, limit, ...rest } = asked;
  const indexQuery: IndexQuery = {
    ...rest,
    words: q === null ? null : wordsOfQuery(q),
    categoryIds: categories && categories.flatMap((id) => shop.index.branch(id)),
    attributes: new Map(attributes),
  };
  const { ids, facets } = expected(shop, asked);
  const paged: string[] = [];
  let after = undefined;
  do {
    const page = shop.index.search(indexQuery, { limit, after });
    expect(page.count).toBe(ids.length);
    paged.push(...page.items.map(({ id }) => id));
    for (const { id, version } of page.items) expect(version).toBe(shop.products.get(id)?.version);
    after = page.next ?? undefined;
  } while (after !== undefined && paged.length < 60);
  expect(paged).toEqual(ids.slice(0, paged.length));
  expect(paged.length).toBe(Math.min(ids.length, Math.ceil(60 / limit) * limit));

  const found = shop.index.search(indexQuery, { limit, after: undefined }).facets;
  expect(found.map(({ field }) => field)).toEqual(asked.facets);
  const ofValues = found.flatMap((facet, at) => (facet.type === 'values' ? [{ facet, wanted: facets[at] }] : []));
  for (const { facet, wanted } of ofValues) expect([facet.field, facet.values]).toEqual([facet.field, wanted]);
  const ofPrices = found.flatMap((facet, at) =>
    facet.type === 'ranges' ? [{ facet, prices: facets[at] as number[] }] : [],
  );
  for (const { facet, prices } of ofPrices) {
    expect([facet.min, facet.max]).toEqual(
      prices.length > 0 ? [Math.min(...prices), Math.max(...prices)] : [null, null],
    );
    expect(facet.ranges.length).toBeLessThanOrEqual(10);
    for (const { from, to, count } of facet.ranges)
      expect([from, to, count]).toEqual([from, to, prices.filter((price) => price >= from && price <= to).length]);
    expect(facet.ranges.reduce((sum, { count }) => sum + count, 0)).toBe(prices.length);
  }
}

describe('a search', () => {
  it('finds and counts what it has to, in order and in pages, among products in many scripts', () => {
    const shop = new Shop();
    for (const each of categoryIds)
      shop.put({
        id: each,
        name: each === 'cat_3' ? 'Kaffee 红茶' : each,
        slug: each,
        path: paths[each] ?? [],
        visible: each !== 'cat_2',
      });
    const numbers = { at: 0 };
    const corpus = fc.sample(product(fc.constant(0)), { numRuns: corpusSize, seed: 7 });
    for (const each of corpus) shop.put({ ...each, id: `prod_${String((numbers.at += 1)).padStart(6, '0')}` });
    fc.assert(
      fc.property(query, (asked) => expectRight(shop, asked)),
      { numRuns: 150 },
    );
  });

  it('finds each change of a product or a category', () => {
    const change = fc.oneof(
      product(fc.nat(12)),
      product(fc.nat(12)),
      // As most changes are: of the stock or the price alone, or of nothing that searches show.
      fc.record({
        changed: fc.nat(12).map((id) => `prod_${String(id).padStart(6, '0')}`),
        fields: fc.record(
          { price: productFields.price, inStock: productFields.inStock, status: productFields.status },
          { requiredKeys: [] },
        ),
      }),
      category,
      fc.record({
        removed: fc.oneof(
          fc.nat(12).map((id) => `prod_${String(id).padStart(6, '0')}`),
          fc.constantFrom(...categoryIds),
        ),
      }),
    );
    fc.assert(
      fc.property(
        fc.array(change, { minLength: 5, maxLength: 40 }),
        fc.array(query, { minLength: 1, maxLength: 3 }),
        (changes, queries) => {
          const shop = new Shop();
          for (const one of changes) {
            if ('removed' in one) shop.remove(one.removed);
            else if ('changed' in one) shop.change(one.changed, one.fields);
            else shop.put(one);
            // Each search was already answered as everything was before this change.
            for (const asked of [everything, onlyActive, ...queries]) expectRight(shop, asked);
          }
        },
      ),
    );
  });
});
