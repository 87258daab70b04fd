import { newId, ownVariantId } from '@storefront/contracts';
import { call, logIn } from '../api.ts';
import type { BenchContext } from '../context.ts';
import type { StackProcess } from '../system/stack-process.ts';
import { insert } from './insert.ts';

const euros = (amount: number) => ({ amount, currency: 'EUR' });

/**
 * Creates a campaign, and inserts codes and confirmed redemptions of it directly into the service's collections, equally many
 * redemptions for each owner. Returns the id of the campaign.
 */
export async function addRedemptions(
  context: BenchContext,
  { gateways, accounts, database: prefix }: StackProcess,
  { owners, count, codes }: { owners: readonly string[]; count: number; codes: number },
): Promise<string> {
  const [gateway = ''] = gateways;
  const token = await logIn(gateway, accounts.admin);
  const discount = { type: 'fixed-amount', amount: euros(100), target: 'order' };
  const body = { name: 'Redeemed a lot', trigger: 'code', discount };
  const { id: campaignId } = await call<{ id: string }>(gateway, 'POST', '/v1/campaigns', { token, body });
  const database = await context.database('engagement', prefix);
  const begun = Date.now();
  await insert(database.collection<{ _id: string }>('campaign_codes'), codes, (at) => ({
    _id: `GROWN-${String(at).padStart(7, '0')}`,
    campaignId,
    uses: 0,
    maximumUses: 1,
    endedAt: null,
    createdAt: new Date(begun),
    batch: 'bench',
  }));
  await insert(database.collection<{ _id: string }>('redemptions'), count, (at) => {
    const createdAt = new Date(begun - at * 1000);
    const productId = `prod_${String(at).padStart(26, '0')}`;
    const prices = { subtotal: 1999, discount: 100, total: 1899 };
    const variant = { variantId: ownVariantId(productId), sku: `SKU-${at}` };
    const line = { lineId: '1', productId, ...variant, quantity: 1, unitPrice: 1999, ...prices };
    const part = { campaignId, code: 'GROWN-0000000', amount: 100 };
    return {
      _id: newId('red'),
      owner: owners[at % owners.length],
      orderRef: `order-${at}`,
      segment: 'retail',
      status: 'confirmed',
      heldUntil: null,
      confirmedAt: createdAt,
      releasedAt: null,
      placedFor: null,
      placedAt: null,
      retakenAt: null,
      beyondLimits: [],
      campaignIds: [campaignId],
      parts: [{ ...part, of: 'items' }],
      currency: 'EUR',
      ...prices,
      shippingDiscount: 0,
      evaluation: {
        currency: 'EUR',
        ...prices,
        shipping: 0,
        shippingDiscount: 0,
        lines: [{ ...line, discounts: [{ campaignId, amount: 100 }] }],
        campaigns: [{ ...part, name: body.name, applied: true, reason: null, missing: null }],
        codes: [{ code: part.code, status: 'applied', campaignId }],
      },
      cartHash: String(at),
      createdAt,
      updatedAt: createdAt,
      version: 1,
      outbox: [],
    };
  });
  return campaignId;
}
