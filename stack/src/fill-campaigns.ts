import type { DemoApi } from './demo-api.ts';

const euros = (amount: number) => ({ amount, currency: 'EUR' });

/** A campaign of the demo shop, its code, and whether it is over. */
interface DemoCampaign {
  /** The body of the API request. `categories` are the slugs of the categories that the discount is for. */
  readonly campaign: { readonly name: string } & Record<string, unknown>;
  readonly categories?: readonly string[];
  readonly code?: string;
  readonly isOver?: true;
}

const campaigns: readonly DemoCampaign[] = [
  {
    campaign: {
      name: 'A tenth off all tea',
      description: 'Loose-leaf tea and everything to make it in.',
      trigger: 'automatic',
      discount: { type: 'percentage', percent: 10, target: 'items' },
      priority: 10,
    },
    categories: ['tea'],
  },
  {
    campaign: {
      name: 'Free shipping from 50 euros',
      description: 'We pay the shipping of larger orders.',
      trigger: 'automatic',
      discount: { type: 'free-shipping' },
      conditions: { minimumSubtotal: euros(5000) },
      priority: 30,
    },
  },
  {
    campaign: {
      name: 'Welcome',
      description: 'A fifth off the first order, up to 20 euros.',
      trigger: 'code',
      discount: { type: 'percentage', percent: 20, target: 'order', maximumAmount: euros(2000) },
      conditions: { segment: 'retail', firstOrderOnly: true },
      limits: { perUser: 1, budget: euros(500_000) },
      priority: 20,
    },
    code: 'WELCOME',
  },
  {
    campaign: {
      name: 'Pallet discount',
      description: 'For trade accounts: 5 % off from 20 items on.',
      trigger: 'automatic',
      discount: { type: 'percentage', percent: 5, target: 'order' },
      conditions: { segment: 'trade', minimumQuantity: 20 },
      priority: 40,
    },
  },
  {
    campaign: {
      name: 'Autumn teas',
      description: 'Three teas for the price of two.',
      trigger: 'code',
      discount: { type: 'buy-x-get-y', buy: { quantity: 2 }, get: { quantity: 1, percent: 100 } },
    },
    categories: ['loose-leaf'],
    code: 'AUTUMN',
    isOver: true,
  },
];

interface Listed {
  readonly id: string;
  readonly name: string;
  readonly status: string;
}

/**
 * Creates the campaigns of the demo shop. The categories must already exist. Campaigns from an earlier start are not
 * created again.
 */
export async function fillCampaigns(api: DemoApi, adminToken: string): Promise<void> {
  const [listed, categories] = await Promise.all([
    api.get('/v1/campaigns?limit=100', adminToken),
    api.get('/v1/categories?limit=100', adminToken),
  ]);
  const existing = listed.data as readonly Listed[];
  const idOf = new Map((categories.data as readonly { id: string; slug: string }[]).map(({ id, slug }) => [slug, id]));
  await Promise.all(
    campaigns.map(async (demo) => {
      const { name } = demo.campaign;
      const selector = demo.categories && { categories: demo.categories.map((slug) => idOf.get(slug)) };
      const found =
        existing.find((each) => each.name === name) ??
        ((await api.post('/v1/campaigns', withItems(demo.campaign, selector), adminToken)) as unknown as Listed);
      await advance(api, adminToken, found, demo);
    }),
  );
}

/** Gives a draft its code and activates it. Ends the campaign where the demo campaign is over. */
async function advance(
  api: DemoApi,
  token: string,
  { id, status }: Listed,
  { code, isOver }: DemoCampaign,
): Promise<void> {
  const path = `/v1/campaigns/${id}`;
  if (status === 'draft') {
    const { data } = await api.get(`${path}/codes`, token);
    if (code !== undefined && (data as readonly unknown[]).length === 0)
      await api.post(`${path}/codes`, { codes: [code] }, token);
    await api.post(`${path}/activate`, {}, token);
  }
  if (isOver && status !== 'ended') await api.post(`${path}/end`, {}, token);
}

/** Limits the campaign to the products in `items`. Without `items`, the campaign is not changed. */
function withItems(campaign: DemoCampaign['campaign'], items: object | undefined): Record<string, unknown> {
  if (items === undefined) return campaign;
  const discount = campaign['discount'] as Record<string, unknown>;
  const { buy, get } = discount;
  const withSelector =
    buy && get ? { ...discount, buy: { ...buy, items }, get: { ...get, items } } : { ...discount, items };
  return { ...campaign, discount: withSelector };
}
