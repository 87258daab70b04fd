import type { CategoryNode, Product } from '@storefront/client';
import { html, type Ctx, type Html } from '../context.ts';

interface Picture {
  readonly url: string;
  readonly sizes?: readonly { readonly url: string; readonly width: number; readonly type: string }[] | undefined;
}

/** A square picture, given as one of a product or by its address. Its box has its size before the file comes, so nothing moves. */
export function picture(image: Picture | string | null | undefined, widths: string, alt = '', isFirst = false): Html {
  if (!image) return html`<span class="picture none"></span>`;
  const { url, sizes } = typeof image === 'string' ? { url: image } : image;
  const webp = sizes?.filter(({ type }) => type === 'image/webp') ?? [];
  return html`<picture class="picture">
    ${
      webp.length > 0 &&
      html`<source
        type="image/webp"
        srcset="${webp.map(({ url, width }) => `${url} ${width}w`).join(', ')}"
        sizes="${widths}"
      />`
    }
    <img
      src="${url}"
      alt="${alt}"
      width="400"
      height="400"
      ${isFirst ? html`fetchpriority="high"` : html`loading="lazy"`}
    />
  </picture>`;
}

interface Card {
  readonly href: string;
  readonly image: Picture | string | null | undefined;
  readonly name: string;
  readonly price: string | Html;
  readonly isSoldOut: boolean;
}

export const cardGrid = (c: Ctx, cards: readonly Card[]): Html =>
  html`<ul class="grid">
    ${cards.map(
      ({ href, image, name, price, isSoldOut }) =>
        html`<li class="card">
          <a href="${href}">
            ${picture(image, '(min-width: 60rem) 18rem, 45vw')}
            <h3>${name}</h3>
          </a>
          <p class="price">${price} ${isSoldOut && html`<span class="badge">${c.var.t('Sold out')}</span>`}</p>
        </li>`,
    )}
  </ul>`;

export function productGrid(c: Ctx, products: readonly Product[]): Html {
  const { t, money } = c.var;
  return cardGrid(
    c,
    products.map(({ name, slug, images, variants, stock, backOrders, priceRange, tradePrice }) => {
      const price = money(tradePrice ?? priceRange.min);
      const from = variants.length > 1 && priceRange.min.amount !== priceRange.max.amount;
      return {
        href: `/products/${slug}`,
        image: images[0],
        name,
        price: from ? t('from {price}', { price }) : price,
        isSoldOut: stock === 0 && !backOrders.allowed,
      };
    }),
  );
}

/** Where a page stands in the shop, by the categories above it. */
export const trailOf = (c: Ctx, categories: readonly CategoryNode[]): Html =>
  html`<nav class="trail" aria-label="${c.var.t('Where you are')}">
    <a href="/">${c.var.t('Home')}</a>
    ${categories.map(({ name, slug }) => html`<a href="/categories/${slug}">${name}</a>`)}
  </nav>`;
