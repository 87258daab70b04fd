import type { Hono } from 'hono';
import type { Env, Ctx } from '../context.ts';
import { html, nothing, type Html } from '../html.ts';
import { accountPage } from '../parts/account-layout.ts';
import { sent } from '../parts/form.ts';
import { note, page } from '../parts/layout.ts';
import { lineList, removeButton } from '../parts/lists.ts';
import { cardGrid } from '../parts/products.ts';

/** The wishlist with what has become of its prices, and the page that friends see. */
export function wishlistPages(app: Hono<Env>): void {
  app.get('/wishlist', async (c) => {
    const { api, t, money } = c.var;
    const { items } = await api.wishlist.getWishlistInsights();
    const lines = items.map(({ id, productImage, price, priceAtAdding, available, ...item }) => ({
      image: productImage,
      name: html`<a href="/wishlist/products/${item.productId}">${item.productName}</a>`,
      hint: html`${optionsOf(item)} ${available ? nothing : html`<span class="badge">${t('Sold out')}</span>`}
      ${price.amount < priceAtAdding.amount ? html`<b>${t('was {price}', { price: money(priceAtAdding) })}</b>` : nothing}`,
      more: removeButton(c, 'remove', id, item.productName),
      price,
    }));
    const empty = () =>
      note(
        c,
        html`<h2>${t('Nothing is on it yet')}</h2>`,
        t('We tell you when something of it gets cheaper, or comes back.'),
      );
    return accountPage(
      c,
      'Wishlist',
      html`
        ${
          lines.length === 0
            ? empty()
            : html`<form method="post" action="/wishlist">${lineList(c, lines)}</form>
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
    await wishlist.addWishlistItem({ body: { productId: add, variantId } });
    return c.redirect('/wishlist?done=wished', 303);
  });

  // Wishlists and mails name products by their ids, the shop's addresses by their slugs.
  app.get('/wishlist/products/:id', async (c) => {
    const { slug } = await c.var.api.products.getProduct({ params: { id: c.req.param('id') } });
    return c.redirect(`/products/${slug}`, 302);
  });

  app.get('/wishlists/:token', async (c) => {
    const { api, t, money } = c.var;
    const { items } = await api.wishlist.getSharedWishlist({ params: { token: c.req.param('token') } });
    return page(c, {
      title: t('A wishlist'),
      body: html`
        <h1>${t('A wishlist')}</h1>
        <p class="lead">${t('Somebody would be glad about this.')}</p>
        <h2 class="unseen">${t('Products')}</h2>
        ${cardGrid(
          c,
          items.map((item) => ({
            href: `/wishlist/products/${item.productId}`,
            image: item.productImage,
            name: item.productName,
            price: `${optionsOf(item)} ${money(item.price)}`,
            isSoldOut: !item.available,
          })),
        )}
      `,
    });
  });
}

const optionsOf = ({ variant }: { variant: { options: { value: string }[] } | null }) =>
  variant?.options.map(({ value }) => value).join(', ') ?? '';

/** The link to the list, which the API says once. */
function shared(c: Ctx): Html {
  const token = c.req.query('shared');
  if (!token || !/^[\w-]{43}$/.test(token)) return nothing;
  const url = `${c.var.shop.url}/wishlists/${token}`;
  return html`<p class="notice">${c.var.t('Whoever has this link sees your list:')} <a href="${url}">${url}</a></p>`;
}
