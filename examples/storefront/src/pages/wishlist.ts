import { html, type App, type Ctx, type Html } from '../context.ts';
import { formPage } from '../parts/form.ts';
import { accountPage, note, page } from '../parts/layout.ts';
import { lineList, removeButton } from '../parts/lists.ts';
import { cardGrid } from '../parts/products.ts';

/** The wishlist with what has become of its prices, and the page that friends see. */
export function wishlistPages(app: App): void {
  formPage(app, '/wishlist', show, async (c, { add, variantId, remove, share }) => {
    const { wishlist } = c.var.api;
    if (remove) await wishlist.removeWishlistItem({ params: { id: remove } });
    if (share === 'off') await wishlist.unshareWishlist();
    if (share === 'on') return c.redirect(`/wishlist?shared=${(await wishlist.shareWishlist()).token}`, 303);
    if (!add) return c.redirect('/wishlist', 303);
    await wishlist.addWishlistItem({ body: { productId: add, variantId } });
    return 'wished';
  });

  // Wishlists and mails name products by their ids, the shop's addresses by their slugs.
  app.get('/wishlist/products/:id', async (c) => {
    const { slug } = await c.var.api.products.getProduct({ params: { id: c.req.param('id') } });
    return c.redirect(`/products/${slug}`, 302);
  });

  app.get('/wishlists/:token', async (c) => {
    const { api, t, money } = c.var;
    const { items } = await api.wishlist.getSharedWishlist({ params: { token: c.req.param('token') } });
    const cards = items.map((item) => ({
      href: `/wishlist/products/${item.productId}`,
      image: item.productImage,
      name: item.productName,
      price: `${optionsOf(item)} ${money(item.price)}`,
      isSoldOut: !item.available,
    }));
    const body = html`
      <h1>${t('A wishlist')}</h1>
      <p class="lead">${t('Somebody would be glad about this.')}</p>
      <h2 class="unseen">${t('Products')}</h2>
      ${cardGrid(c, cards)}
    `;
    return page(c, t('A wishlist'), body);
  });
}

async function show(c: Ctx): Promise<Response> {
  const { api, t, money } = c.var;
  const { items } = await api.wishlist.getWishlistInsights();
  const lines = items.map(({ id, productImage, price, priceAtAdding, available, ...item }) => ({
    image: productImage,
    name: html`<a href="/wishlist/products/${item.productId}">${item.productName}</a>`,
    hint: html`${optionsOf(item)} ${!available && html`<span class="badge">${t('Sold out')}</span>`}
    ${price.amount < priceAtAdding.amount && html`<b>${t('was {price}', { price: money(priceAtAdding) })}</b>`}`,
    more: removeButton(c, 'remove', id, item.productName),
    price,
  }));
  const text = t('We tell you when something of it gets cheaper, or comes back.');
  const list = () =>
    html`<form method="post" action="/wishlist">${lineList(c, lines)}</form>
      <form class="row" method="post" action="/wishlist">
        <button class="quiet" name="share" value="on">${t('Share the list')}</button>
        <button class="quiet" name="share" value="off">${t('Stop sharing')}</button>
      </form>`;
  const body = lines.length > 0 ? list() : note(c, html`<h2>${t('Nothing is on it yet')}</h2>`, text);
  return accountPage(c, 'Wishlist', html`${body} ${shared(c)}`);
}

const optionsOf = ({ variant }: { variant: { options: { value: string }[] } | null }) =>
  variant?.options.map(({ value }) => value).join(', ') ?? '';

/** The link to the list, which the API says once. */
function shared(c: Ctx): Html {
  const token = c.req.query('shared');
  if (!token || !/^[\w-]{43}$/.test(token)) return undefined;
  const url = `${c.var.shop.url}/wishlists/${token}`;
  return html`<p class="notice">${c.var.t('Whoever has this link sees your list:')} <a href="${url}">${url}</a></p>`;
}
