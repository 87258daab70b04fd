import type { Money, Product } from '@storefront/client';
import type { Ctx } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';

/** What the shopper pays: the trade price where the API answers one. */
export const priceOf = ({ price, tradePrice }: { price: Money; tradePrice?: Money | null }) => tradePrice ?? price;

interface Picture {
  readonly url: string;
  readonly alt: string;
  readonly sizes?: readonly { readonly url: string; readonly width: number; readonly type: string }[] | undefined;
}

/** A square picture. Its box has its size before the file comes, so nothing on the page moves. */
export function picture(image: Picture | undefined, widths: string, isFirst = false): Html {
  if (!image) return html`<span class="picture none"></span>`;
  const webp = image.sizes?.filter(({ type }) => type === 'image/webp') ?? [];
  return html`<picture class="picture">
    ${
      webp.length > 0
        ? html`<source
            type="image/webp"
            srcset="${webp.map(({ url, width }) => `${url} ${width}w`).join(', ')}"
            sizes="${widths}"
          />`
        : nothing
    }
    <img
      src="${image.url}"
      alt="${image.alt}"
      width="400"
      height="400"
      ${isFirst ? html`fetchpriority="high"` : html`loading="lazy"`}
    />
  </picture>`;
}

function productCard(c: Ctx, product: Product): Html {
  const { t, money } = c.var;
  const { name, slug, images, variants, stock, priceRange, tradePrice } = product;
  const price = tradePrice ?? priceRange.min;
  const from = variants.length > 1 && priceRange.min.amount !== priceRange.max.amount;
  const [image] = images;
  return html`<li class="card">
    <a href="/products/${slug}">
      ${picture(image && { ...image, alt: '' }, '(min-width: 60rem) 18rem, 45vw')}
      <h3>${name}</h3>
    </a>
    <p class="price">
      ${from ? t('from {price}', { price: money(price) }) : money(price)}
      ${stock === 0 && !product.backOrders.allowed ? html`<span class="badge">${t('Sold out')}</span>` : nothing}
    </p>
  </li>`;
}

export const productGrid = (c: Ctx, products: readonly Product[]): Html =>
  html`<ul class="grid">
    ${products.map((product) => productCard(c, product))}
  </ul>`;
