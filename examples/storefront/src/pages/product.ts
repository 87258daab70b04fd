import type { Money, Product, ProductVariant } from '@storefront/client';
import { addToCart } from '../cart.ts';
import { categoryTree, findCategory } from '../categories.ts';
import { html, type App, type Ctx, type Html } from '../context.ts';
import { formPage, type Form } from '../parts/form.ts';
import { notFound, page } from '../parts/layout.ts';
import { amount, choices, pairList, type Pair } from '../parts/lists.ts';
import { picture, productGrid, trailOf } from '../parts/products.ts';

export function productPages(app: App): void {
  formPage(app, '/products/:slug', show, async (c, { productId = '', variantId = '', quantity = '1' }) => {
    await addToCart(c, { productId, variantId, quantity: Number(quantity) });
    return c.redirect('/cart?done=added', 303);
  });
}

async function show(c: Ctx, { values, problem }: Form): Promise<Response> {
  const { api, t, money, session } = c.var;
  const { data } = await api.products.listProducts({ query: { slug: c.req.param('slug') ?? '' } });
  const [product] = data;
  if (!product) return notFound(c);
  const [related, tree] = await Promise.all([relatedTo(c, product), categoryTree(c)]);
  const { name, description, images, variants, options } = product;
  const trail = findCategory(tree, ({ id }) => product.categoryIds.includes(id)) ?? [];
  const buyable = variants.filter((variant) => canBuy(product, variant));
  const asked = values.variantId ?? c.req.query('variant');
  const wanted = variants.find(({ id }) => id === asked) ?? buyable[0] ?? variants[0];
  const quantity = amount(t('Quantity'), 'quantity', values.quantity ?? 1, 1);
  const wish = html`<button class="quiet" formaction="/wishlist" formnovalidate name="add" value="${product.id}">
    ${t('Add to wishlist')}
  </button>`;
  const body = html`
    ${trailOf(c, trail)}
    <article class="product">
      <div class="gallery">
        ${images.length === 0 && picture(undefined, '')}
        ${images.map((image, at) => picture(image, '(min-width: 60rem) 36rem, 100vw', image.alt || name, at === 0))}
      </div>
      <form class="buy" method="post" action="/products/${product.slug}">
        <h1>${name}</h1>
        <p class="price big">${wanted && money(priceOf(product, wanted))}</p>
        <p class="hint">${product.tradePrice ? t('Trade price, tax comes on top') : t('With tax, plus shipping')}</p>
        <p>${description}</p>
        ${problem}
        <input type="hidden" name="productId" value="${product.id}" />
        ${options.length === 0 ? html`<input type="hidden" name="variantId" value="${wanted?.id}" />` : variantChoices(c, product, wanted)}
        ${stockLine(c, product)}
        ${buyable.length > 0 && html`<div class="row">${quantity} <button>${t('Add to cart')}</button></div>`}
        ${session.isOpen && wish}
        ${wanted && options.length === 0 && html`<p class="hint">${byQuantity(c, product, wanted)}</p>`}
        ${pairList(factsOf(c, product, wanted), 'facts')}
      </form>
    </article>
    ${related.length > 0 && html`<h2>${t('Goes well with it')}</h2>`} ${productGrid(c, related)}
  `;
  return page(c, name, body, description);
}

function variantChoices(c: Ctx, product: Product, wanted: ProductVariant | undefined): Html {
  const { t, money } = c.var;
  return choices(
    product.options.map(({ name }) => name).join(', '),
    product.variants.map((variant) => {
      const isPossible = canBuy(product, variant);
      const price = money(priceOf(product, variant));
      return {
        name: 'variantId',
        value: variant.id,
        isChosen: variant === wanted,
        isPossible,
        text: html`${variant.values.join(', ')} <small>${byQuantity(c, product, variant)}</small>`,
        price: isPossible ? price : t('Sold out'),
        attributes: html`data-price="${price}" data-image="${variant.image}"`,
      };
    }),
  );
}

function factsOf({ var: { t, language } }: Ctx, product: Product, variant: ProductVariant | undefined): Pair[] {
  const say = (value: unknown) => {
    if (typeof value === 'boolean') return t(value ? 'yes' : 'no');
    return typeof value === 'number' ? value.toLocaleString(language) : String(value);
  };
  return [
    ...Object.entries(product.attributes).map(([key, value]): Pair => [key.replaceAll('_', ' '), say(value)]),
    [t('Article number'), variant?.sku ?? product.sku],
    product.taxClass === 'reduced' && [t('Tax'), t('reduced rate')],
  ];
}

/** What a piece costs from which quantity on, where that is less. */
function byQuantity(c: Ctx, product: Product, variant: ProductVariant): string {
  const { t, money } = c.var;
  const prices = variant.quantityPrices ?? product.quantityPrices ?? [];
  return prices.map(({ from, price }) => t('from {count}: {price}', { count: from, price: money(price) })).join(', ');
}

function stockLine(c: Ctx, { stock, backOrders, availableFrom }: Product): Html {
  const { t, date } = c.var;
  const line = (kind: '' | 'low' | 'out', text: string) => html`<p class="stock ${kind}">${text}</p>`;
  if (availableFrom && new Date(availableFrom) > new Date())
    return line('low', t('Available from {day}', { day: date(availableFrom) }));
  if (stock > 5) return line('', t('In stock'));
  if (stock > 0) return line('low', t('Only {count} left', { count: stock }));
  return backOrders.allowed ? line('low', backOrders.text ?? t('Can be ordered')) : line('out', t('Sold out'));
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
