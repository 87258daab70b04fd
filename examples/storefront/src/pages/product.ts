import type { Hono } from 'hono';
import type { Product, ProductVariant } from '@storefront/client';
import { addToCart } from '../cart.ts';
import { categoryTree, findCategory } from '../categories.ts';
import type { Ctx, Env } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import { formOf, sent } from '../parts/form.ts';
import { page } from '../parts/layout.ts';
import { picture, priceOf, productGrid } from '../parts/products.ts';
import { problemOfForm } from '../parts/problems.ts';
import { notFound } from './not-found.ts';

export function productPages(app: Hono<Env>): void {
  app.get('/products/:slug', (c) => show(c));

  app.post('/products/:slug', async (c) => {
    const values = await sent(c);
    const { productId = '', variantId = '', quantity = '1' } = values;
    try {
      await addToCart(c, { productId, variantId, quantity: Number(quantity) });
    } catch (error) {
      return show(c, formOf(c, values, problemOfForm(error)).problem);
    }
    return c.redirect('/cart?done=added', 303);
  });
}

async function show(c: Ctx, problem: Html = nothing): Promise<Response> {
  const { api, t, money, session } = c.var;
  const { data } = await api.products.listProducts({ query: { slug: c.req.param('slug') ?? '' } });
  const [product] = data;
  if (!product) return notFound(c);
  const [related, tree] = await Promise.all([relatedTo(c, product), categoryTree(c)]);
  const { name, description, images, variants, options, attributes, taxClass } = product;
  const trail = tree.flatMap((root) => findCategory([root], slugOf(tree, product.categoryIds)) ?? []);
  const buyable = variants.filter((variant) => canBuy(product, variant));
  const wanted = variants.find(({ id }) => id === c.req.query('variant')) ?? buyable[0] ?? variants[0];
  return page(c, {
    title: name,
    ...(description && { description }),
    body: html`
      <nav class="trail" aria-label="${t('Where you are')}">
        <a href="/">${t('Home')}</a>
        ${trail.map(({ name, slug }) => html`<a href="/categories/${slug}">${name}</a>`)}
      </nav>
      <article class="product">
        <div class="gallery">
          ${images.length === 0 ? picture(undefined, '') : nothing}
          ${images.map((image, at) => picture({ ...image, alt: image.alt || name }, '(min-width: 60rem) 36rem, 100vw', at === 0))}
        </div>
        <form class="buy" method="post" action="/products/${product.slug}">
          <h1>${name}</h1>
          <p class="price big">
            ${wanted ? money(priceOf({ price: wanted.price ?? product.price, ...trade(product, wanted) })) : nothing}
          </p>
          <p class="hint">${product.tradePrice ? t('Trade price, tax comes on top') : t('With tax, plus shipping')}</p>
          <p>${description ?? ''}</p>
          ${problem}
          <input type="hidden" name="productId" value="${product.id}" />
          ${
            options.length === 0
              ? html`<input type="hidden" name="variantId" value="${wanted?.id ?? ''}" />`
              : html`<fieldset class="choices">
                  <legend>${options.map(({ name }) => name).join(', ')}</legend>
                  ${variants.map((variant) => choice(c, product, variant, variant === wanted))}
                </fieldset>`
          }
          ${stockLine(c, product)}
          ${
            buyable.length > 0
              ? html`<div class="row">
                  <label class="amount">
                    ${t('Quantity')} <input type="number" name="quantity" value="1" min="1" max="999" required />
                  </label>
                  <button>${t('Add to cart')}</button>
                </div>`
              : nothing
          }
          ${
            session.isOpen
              ? html`<button class="quiet" formaction="/wishlist" formnovalidate name="add" value="${product.id}">
                  ${t('Add to wishlist')}
                </button>`
              : nothing
          }
          ${wanted && options.length === 0 ? html`<p class="hint">${byQuantity(c, product, wanted)}</p>` : nothing}
          <dl class="facts">
            ${Object.entries(attributes).map(
              ([key, value]) =>
                html`<div>
                  <dt>${key.replaceAll('_', ' ')}</dt>
                  <dd>${sayValue(c, value)}</dd>
                </div>`,
            )}
            <div>
              <dt>${t('Article number')}</dt>
              <dd>${wanted?.sku ?? product.sku}</dd>
            </div>
            ${
              taxClass === 'reduced'
                ? html`<div>
                    <dt>${t('Tax')}</dt>
                    <dd>${t('reduced rate')}</dd>
                  </div>`
                : nothing
            }
          </dl>
        </form>
      </article>
      ${
        related.length > 0
          ? html`<section>
              <h2>${t('Goes well with it')}</h2>
              ${productGrid(c, related)}
            </section>`
          : nothing
      }
    `,
  });
}

function choice(c: Ctx, product: Product, variant: ProductVariant, isChosen: boolean): Html {
  const { t, money } = c.var;
  const possible = canBuy(product, variant);
  const price = money(priceOf({ price: variant.price ?? product.price, ...trade(product, variant) }));
  return html`<label class="choice">
    <input
      type="radio"
      name="variantId"
      value="${variant.id}"
      data-price="${price}"
      data-image="${variant.image ?? ''}"
      required
      ${isChosen && possible ? html`checked` : nothing}
      ${possible ? nothing : html`disabled`}
    />
    <span>${variant.values.join(', ')} <small>${byQuantity(c, product, variant)}</small></span>
    <span class="price">${possible ? price : t('Sold out')}</span>
  </label>`;
}

/** What a piece costs from which quantity on, where that is less. */
function byQuantity(c: Ctx, product: Product, variant: ProductVariant): string {
  const { t, money } = c.var;
  const prices = variant.quantityPrices ?? product.quantityPrices ?? [];
  return prices.map(({ from, price }) => t('from {count}: {price}', { count: from, price: money(price) })).join(', ');
}

function stockLine(c: Ctx, { stock, backOrders, availableFrom }: Product): Html {
  const { t, date } = c.var;
  if (availableFrom && new Date(availableFrom) > new Date())
    return html`<p class="stock low">${t('Available from {day}', { day: date(availableFrom) })}</p>`;
  if (stock > 5) return html`<p class="stock">${t('In stock')}</p>`;
  if (stock > 0) return html`<p class="stock low">${t('Only {count} left', { count: stock })}</p>`;
  if (backOrders.allowed) return html`<p class="stock low">${backOrders.text ?? t('Can be ordered')}</p>`;
  return html`<p class="stock out">${t('Sold out')}</p>`;
}

/** The products that the shop relates to it; where there are none, others of its category. */
async function relatedTo(c: Ctx, { id, relatedIds, categoryIds }: Product): Promise<Product[]> {
  const { api } = c.var;
  if (relatedIds.length === 0 && categoryIds.length === 0) return [];
  const query = relatedIds.length > 0 ? { ids: relatedIds } : { category: categoryIds };
  const { data } = await api.products.listProducts({ query: { ...query, limit: 5 } });
  return data.filter((each) => each.id !== id).slice(0, 4);
}

function slugOf(tree: Parameters<typeof findCategory>[0], ids: readonly string[]): string {
  for (const node of tree) {
    const below = slugOf(node.children ?? [], ids);
    if (below) return below;
    if (ids.includes(node.id)) return node.slug;
  }
  return '';
}

/** The trade price of a variant: its own, or that of its product where the variant has no price of its own. */
function trade(product: Product, variant: ProductVariant) {
  const tradePrice = variant.price === null ? product.tradePrice : variant.tradePrice;
  return tradePrice === undefined ? {} : { tradePrice };
}

const canBuy = ({ backOrders }: Product, { stock, status }: ProductVariant) =>
  status === 'active' && (stock > 0 || backOrders.allowed);

function sayValue(c: Ctx, value: unknown): string {
  if (typeof value === 'boolean') return c.var.t(value ? 'yes' : 'no');
  if (typeof value === 'number') return value.toLocaleString(c.var.language);
  return String(value);
}
