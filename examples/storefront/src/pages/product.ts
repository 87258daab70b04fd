import type { Hono } from 'hono';
import type { ApiError, Money, Product, ProductVariant } from '@storefront/client';
import { addToCart } from '../cart.ts';
import { categoryTree, findCategory } from '../categories.ts';
import type { Ctx, Env } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import { formOf, formPage, type Values } from '../parts/form.ts';
import { notFound, page } from '../parts/layout.ts';
import { picture, productGrid, trailOf } from '../parts/products.ts';

export function productPages(app: Hono<Env>): void {
  formPage(app, '/products/:slug', show, async (c, { productId = '', variantId = '', quantity = '1' }) => {
    await addToCart(c, { productId, variantId, quantity: Number(quantity) });
    return c.redirect('/cart?done=added', 303);
  });
}

async function show(c: Ctx, values: Values, error?: ApiError<string>): Promise<Response> {
  const { api, t, money, session } = c.var;
  const { data } = await api.products.listProducts({ query: { slug: c.req.param('slug') ?? '' } });
  const [product] = data;
  if (!product) return notFound(c);
  const [related, tree] = await Promise.all([relatedTo(c, product), categoryTree(c)]);
  const { name, description, images, variants, options, attributes, taxClass } = product;
  const trail = findCategory(tree, ({ id }) => product.categoryIds.includes(id)) ?? [];
  const buyable = variants.filter((variant) => canBuy(product, variant));
  const wanted =
    variants.find(({ id }) => id === (values.variantId ?? c.req.query('variant'))) ?? buyable[0] ?? variants[0];
  return page(c, {
    title: name,
    ...(description && { description }),
    body: html`
      ${trailOf(c, trail)}
      <article class="product">
        <div class="gallery">
          ${images.length === 0 ? picture(undefined, '') : nothing}
          ${images.map((image, at) => picture(image, '(min-width: 60rem) 36rem, 100vw', image.alt || name, at === 0))}
        </div>
        <form class="buy" method="post" action="/products/${product.slug}">
          <h1>${name}</h1>
          <p class="price big">${wanted ? money(priceOf(product, wanted)) : nothing}</p>
          <p class="hint">${product.tradePrice ? t('Trade price, tax comes on top') : t('With tax, plus shipping')}</p>
          <p>${description ?? ''}</p>
          ${formOf(c, values, error).problem}
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
                    ${t('Quantity')}
                    <input type="number" name="quantity" value="${values.quantity ?? 1}" min="1" max="999" required />
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
            ${[
              ...Object.entries(attributes).map(([key, value]) => [key.replaceAll('_', ' '), sayValue(c, value)]),
              [t('Article number'), wanted?.sku ?? product.sku],
              ...(taxClass === 'reduced' ? [[t('Tax'), t('reduced rate')]] : []),
            ].map(
              ([name, value]) =>
                html`<div>
                  <dt>${name}</dt>
                  <dd>${value}</dd>
                </div>`,
            )}
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
  const price = money(priceOf(product, variant));
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

/** What the shopper pays for a variant: the trade price where the API answers one. Without a price of its own, it has its product's. */
const priceOf = (product: Product, { price, tradePrice }: ProductVariant): Money =>
  price === null ? (product.tradePrice ?? product.price) : (tradePrice ?? price);

const canBuy = ({ backOrders }: Product, { stock, status }: ProductVariant) =>
  status === 'active' && (stock > 0 || backOrders.allowed);

function sayValue(c: Ctx, value: unknown): string {
  if (typeof value === 'boolean') return c.var.t(value ? 'yes' : 'no');
  if (typeof value === 'number') return value.toLocaleString(c.var.language);
  return String(value);
}
