import type { Hono } from 'hono';
import type { Env, Ctx } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { sent } from '../parts/form.ts';
import { page } from '../parts/layout.ts';
import { picture } from '../parts/products.ts';
import { notFound } from './not-found.ts';

/** The wishlist with what has become of its prices, and the page that friends see. */
export function wishlistPages(app: Hono<Env>): void {
  app.get('/wishlist', async (c) => {
    const { api, t, money } = c.var;
    const { items } = await api.wishlist.getWishlistInsights();
    return accountPage(
      c,
      'Wishlist',
      html`
        ${
          items.length === 0
            ? html`<div class="empty">
                <h2>${t('Nothing is on it yet')}</h2>
                <p>${t('We tell you when something of it gets cheaper, or comes back.')}</p>
                <p><a class="button" href="/search">${t('See everything')}</a></p>
              </div>`
            : html`<form method="post" action="/wishlist">
                  <ul class="lines">
                    ${items.map(
                      ({ id, productId, productName, productImage, variant, available, price, priceAtAdding }) =>
                        html`<li class="line">
                          ${picture(productImage === null ? undefined : { url: productImage, alt: '' }, '6rem')}
                          <div>
                            <h2><a href="/wishlist/products/${productId}">${productName}</a></h2>
                            <p class="hint">
                              ${variant?.options.map(({ value }) => value).join(', ') ?? ''}
                              ${available ? nothing : html`<span class="badge">${t('Sold out')}</span>`}
                              ${price.amount < priceAtAdding.amount ? html`<b>${t('was {price}', { price: money(priceAtAdding) })}</b>` : nothing}
                            </p>
                            <button
                              class="link"
                              name="remove"
                              value="${id}"
                              aria-label="${t('Remove {name}', { name: productName })}"
                            >
                              ${t('Remove')}
                            </button>
                          </div>
                          <p class="price">${money(price)}</p>
                        </li>`,
                    )}
                  </ul>
                </form>
                <form class="row" method="post" action="/wishlist">
                  <button class="quiet" name="share" value="on">${t('Share the list')}</button>
                  <button class="quiet" name="share" value="off">${t('Stop sharing')}</button>
                </form>`
        }
        ${shared(c)}
      `,
    );
  });

  app.post('/wishlist', async (c) => {
    const { wishlist } = c.var.api;
    const { add, variantId, remove, share } = await sent(c);
    if (remove) await wishlist.removeWishlistItem({ params: { id: remove } });
    if (share === 'off') await wishlist.unshareWishlist();
    if (share === 'on') {
      const { token } = await wishlist.shareWishlist();
      return c.redirect(`/wishlist?shared=${token}`, 303);
    }
    if (!add) return c.redirect('/wishlist', 303);
    await wishlist.addWishlistItem({ body: { productId: add, ...(variantId && { variantId }) } });
    return c.redirect('/wishlist?done=wished', 303);
  });

  // Wishlists and mails name products by their ids, the shop's addresses by their slugs.
  app.get('/wishlist/products/:id', async (c) => {
    const { slug } = await c.var.api.products.getProduct({ params: { id: c.req.param('id') } });
    return c.redirect(`/products/${slug}`, 302);
  });

  app.get('/wishlists/:token', async (c) => {
    const { api, t, money } = c.var;
    const found = await api.try.wishlist.getSharedWishlist({ params: { token: c.req.param('token') } });
    if (!found.ok) {
      if (found.error.status === 404) return notFound(c);
      throw found.error;
    }
    return page(c, {
      title: t('A wishlist'),
      body: html`
        <h1>${t('A wishlist')}</h1>
        <p class="lead">${t('Somebody would be glad about this.')}</p>
        <ul class="grid">
          ${found.data.items.map(
            ({ productId, productName, productImage, price, available, variant }) =>
              html`<li class="card">
                <a href="/wishlist/products/${productId}">
                  ${picture(productImage === null ? undefined : { url: productImage, alt: '' }, '(min-width: 60rem) 18rem, 45vw')}
                  <h2>${productName}</h2>
                </a>
                <p class="price">
                  ${variant?.options.map(({ value }) => value).join(', ') ?? ''} ${money(price)}
                  ${available ? nothing : html`<span class="badge">${t('Sold out')}</span>`}
                </p>
              </li>`,
          )}
        </ul>
      `,
    });
  });
}

/** The link to the list, which the API says once. */
function shared(c: Ctx): Html {
  const token = c.req.query('shared');
  if (!token || !/^[\w-]{43}$/.test(token)) return nothing;
  const url = `${c.var.shop.url}/wishlists/${token}`;
  return html`<p class="notice">${c.var.t('Whoever has this link sees your list:')} <a href="${url}">${url}</a></p>`;
}
