import type { ProductFacet } from '@storefront/client';
import { findCategory, readCategories } from '../categories.ts';
import { html, type App, type Ctx, type Html } from '../context.ts';
import { note, notFound, page } from '../parts/layout.ts';
import { nextLink } from '../parts/lists.ts';
import { productGrid, trailOf } from '../parts/products.ts';
import type { Sentence } from '../words/translate.ts';

/** By what the shop lets shoppers filter, beside the price. Attributes that no product of a list has are left out. */
const facets = {
  'attr.tea': 'Tea',
  'attr.roast': 'Roast',
  'attr.origin': 'Origin',
  'attr.material': 'Material',
  'attr.colour': 'Colour',
  inStock: 'Availability',
} as const satisfies Record<string, Sentence>;
type FacetName = keyof typeof facets;

const sorts = {
  relevance: 'Best match',
  newest: 'Newest first',
  price: 'Cheapest first',
  '-price': 'Most expensive first',
  name: 'By name',
} as const satisfies Record<string, Sentence>;
type Sort = keyof typeof sorts;

export function catalogPages(app: App): void {
  app.get('/categories/:slug', async (c) => {
    const found = findCategory(await readCategories(c), ({ slug }) => slug === c.req.param('slug'));
    const category = found?.at(-1);
    if (!found || !category) return notFound(c);
    const { name, slug, description, children = [] } = category;
    const below = children.map(({ name, slug }) => html`<a class="chip" href="/categories/${slug}">${name}</a>`);
    const above = html`
      ${trailOf(c, found.slice(0, -1))}
      <h1>${name}</h1>
      <p class="lead">${description}</p>
      ${below.length > 0 && html`<nav class="chips" aria-label="${c.var.t('More precisely')}">${below}</nav>`}
    `;
    return list(c, name, above, slug);
  });

  app.get('/search', (c) => {
    const words = wordsOf(c);
    const title = words ? c.var.t('Results for “{words}”', { words }) : c.var.t('Everything');
    return list(c, title, html`<h1>${title}</h1>`);
  });
}

/** A page of products with its filters. They are the query of its address, so every choice can be linked to. */
async function list(c: Ctx, title: string, above: Html, category?: string): Promise<Response> {
  const { api, t } = c.var;
  const q = wordsOf(c);
  const chosen = new URL(c.req.url).searchParams;
  const names = Object.keys(facets) as FacetName[];
  // Only words can be matched well or badly.
  const possible = (Object.keys(sorts) as Sort[]).filter((each) => q || each !== 'relevance');
  const sort = possible.find((each) => each === chosen.get('sort')) ?? possible[0];
  const attributes = names.filter((name) => name.startsWith('attr.') && chosen.has(name));
  const found = await api.products.listProducts({
    query: {
      limit: 24,
      count: true,
      facets: ['price', ...names],
      sort,
      q,
      category,
      inStock: chosen.has('inStock') ? chosen.get('inStock') === 'true' : undefined,
      ...priceLimits(chosen),
      cursor: c.req.query('cursor'),
      ...Object.fromEntries(attributes.map((name) => [name, chosen.getAll(name)])),
    },
  });
  const count = found.count?.value ?? 0;
  const nothingFits = () =>
    note(c, html`<h2>${t('Nothing fits that')}</h2>`, t('Try another word, or remove a filter.'));
  const body = html`
    ${above}
    <form class="filters" aria-label="${t('Filters')}">
      ${q && html`<input type="hidden" name="q" value="${q}" />`}
      ${found.facets?.map((facet) => filter(c, facet, chosen))}
      <label class="sort">
        ${t('Sort')}
        <select name="sort" data-send-on-change>
          ${possible.map((each) => html`<option value="${each}" ${each === sort && 'selected'}>${t(sorts[each])}</option>`)}
        </select>
      </label>
      <button class="quiet">${t('Apply')}</button>
      ${chosen.size > (q ? 1 : 0) && html`<a href="?${q && new URLSearchParams({ q })}">${t('Remove all filters')}</a>`}
    </form>
    <h2 class="unseen">${t('Products')}</h2>
    <p class="hint" role="status">${count === 1 ? t('1 product') : t('{count} products', { count })}</p>
    ${found.data.length > 0 ? productGrid(c, found.data) : nothingFits()}
    ${nextLink(c, found.nextCursor, 'More products')}
  `;
  return page(c, title, body);
}

/** A filter that opens: the values of a facet with their numbers, or a range of prices. */
function filter(c: Ctx, facet: ProductFacet, chosen: URLSearchParams): Html {
  const { t } = c.var;
  if (facet.type === 'ranges') {
    const { min, max } = facet;
    if (min === null || max === null) return undefined;
    const limit = (name: string, label: Sentence, hint: number) => {
      const value = chosen.get(name) ?? '';
      return html`<label>
        ${t(label)}
        <input name="${name}" inputmode="decimal" size="7" value="${value}" placeholder="${hint / 100}" />
      </label>`;
    };
    const limits = [limit('from', 'From (€)', min), limit('to', 'Up to (€)', max)];
    return opening(c, t('Price'), chosen.has('from') || chosen.has('to'), limits);
  }
  const name = facet.field as FacetName;
  const taken = new Set(chosen.getAll(name));
  if (!(name in facets) || (facet.values.length < 2 && taken.size === 0)) return undefined;
  const values = facet.values.map(
    ({ value, label, count }) =>
      html`<label>
        <input type="checkbox" name="${name}" value="${value}" ${taken.has(value) && 'checked'} />
        ${name === 'inStock' ? t(value === 'true' ? 'In stock' : 'Sold out') : label} <small>${count}</small>
      </label>`,
  );
  return opening(c, t(facets[name]), taken.size > 0, values);
}

const opening = (c: Ctx, title: string, isUsed: boolean, fields: readonly Html[]): Html =>
  html`<details name="filter" class="${isUsed && 'used'}">
    <summary>${title}</summary>
    <div>
      ${fields}
      <button>${c.var.t('Apply')}</button>
    </div>
  </details>`;

const wordsOf = (c: Ctx) => c.req.query('q')?.trim().slice(0, 200) || undefined;

/** The limits in minor units. What is no number is no limit. */
function priceLimits(chosen: URLSearchParams): { minPrice?: number; maxPrice?: number } {
  const cents = (name: string) => {
    const text = chosen.get(name)?.trim().replace(',', '.') ?? '';
    return /^\d{1,7}(\.\d{1,2})?$/.test(text) ? Math.round(Number(text) * 100) : undefined;
  };
  const [minPrice, maxPrice] = [cents('from'), cents('to')];
  return { minPrice, maxPrice: Number(minPrice) > Number(maxPrice) ? undefined : maxPrice };
}
