import { categoryTree } from '../categories.ts';
import { html, type App } from '../context.ts';
import { page } from '../parts/layout.ts';
import { picture, productGrid } from '../parts/products.ts';

export function homePages(app: App): void {
  app.get('/', async (c) => {
    const { api, t, shop } = c.var;
    const [tree, newest, offers] = await Promise.all([
      categoryTree(c),
      api.products.listProducts({ query: { limit: 8, inStock: true } }),
      api.try.campaigns.listActiveCampaigns({ query: { limit: 3 } }),
    ]);
    const doors = await Promise.all(
      tree.map(async (category) => {
        const query = { category: category.slug, sort: 'name', limit: 1 } as const;
        const { data } = await api.products.listProducts({ query });
        return { category, image: data[0]?.images[0] };
      }),
    );
    const body = html`
      <section class="hero">
        <div>
          <h1>${t('Good things for slow mornings')}</h1>
          <p>${t('Beans roasted twice a week, leaf from gardens we know, and pots that last.')}</p>
          <p><a class="button" href="/search">${t('See everything')}</a></p>
        </div>
        <div class="hero-pictures">${doors.map(({ image }) => picture(image, '30vw', '', true))}</div>
      </section>
      ${
        offers.ok &&
        offers.data.data.length > 0 &&
        html`<ul class="offers" aria-label="${t('Offers')}">
          ${offers.data.data.map(({ name, description }) => html`<li><b>${name}</b> ${description}</li>`)}
        </ul>`
      }
      <section>
        <h2>${t('New in the shop')}</h2>
        ${productGrid(c, newest.data)}
      </section>
      <section>
        <h2>${t('Look around')}</h2>
        <ul class="doors">
          ${doors.map(
            ({ category, image }) =>
              html`<li>
                <a href="/categories/${category.slug}">
                  ${picture(image, '(min-width: 60rem) 24rem, 90vw')}
                  <div>
                    <h3>${category.name}</h3>
                    <p>${category.description}</p>
                  </div>
                </a>
              </li>`,
          )}
        </ul>
      </section>
      <section class="band">
        <h2>${t('You run a café, an office or a shop?')}</h2>
        <p>${t('With a trade account you buy at trade prices, on account.')}</p>
        <p><a class="button quiet" href="/trade">${t('Apply for a trade account')}</a></p>
      </section>
    `;
    return page(c, shop.name, body, t('Coffee, tea and what belongs on the table.'));
  });
}
