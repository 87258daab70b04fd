import { bodyField, commonErrors, notFound, type engagementOperations } from '@storefront/contracts';
import { actorOf, newIdFor, noteForReplay, noteOf, type Cursors, type Handlers } from '@storefront/http';
import { confirmRedemption } from '../commands/confirm-redemption.ts';
import type { EvaluateCart } from '../commands/evaluate-cart.ts';
import { redeemCart } from '../commands/redeem-cart.ts';
import { releaseRedemption, releaseRedemptionsOfUser } from '../commands/release-redemption.ts';
import { askerOf } from '../domain/evaluation/asker.ts';
import type { Redemptions } from '../store/redemptions.ts';
import { showRedemption } from './show-redemption.ts';

type DiscountOperation =
  | 'evaluateDiscounts'
  | 'redeemDiscounts'
  | 'listRedemptions'
  | 'getRedemption'
  | 'confirmRedemption'
  | 'releaseRedemption'
  | 'releaseRedemptionsOfUser';

type Needs = Parameters<typeof redeemCart>[0] & {
  readonly redemptions: Redemptions;
  readonly evaluateCart: EvaluateCart;
  readonly cursors: Cursors;
};

/** Shoppers evaluate their carts and hold what applies; administrators redeem it for everybody. */
export function discountHandlers(needs: Needs): Pick<Handlers<typeof engagementOperations>, DiscountOperation> {
  const { redemptions, evaluateCart, cursors } = needs;
  return {
    evaluateDiscounts: (request) => evaluateCart(askerOf(request.caller, request.body), request.clientIp, request.body),

    redeemDiscounts: {
      async handle(request, reply) {
        const { caller, body, clientIp } = request;
        const attempt = { id: newIdFor(request, 'red'), asker: askerOf(caller, body), ip: clientIp };
        const { redemption, isNew } = await redeemCart(needs, attempt, body);
        noteForReplay(request, redemption.id);
        // Under an Idempotency-Key, what an earlier try made has the id of this one.
        if (isNew || redemption.id === attempt.id)
          void reply.code(201).header('location', `/v1/discounts/redemptions/${redemption.id}`);
        return showRedemption(redemption);
      },
      async again(request) {
        return showRedemption(await load(noteOf(request), ownerOf(request.caller)));
      },
    },

    listRedemptions({ caller, query }) {
      const { campaign, user } = query;
      const isAdmin = caller.role === 'admin';
      const refused = isAdmin ? [] : (['campaign', 'user'] as const).filter((name) => query[name] !== undefined);
      if (refused.length > 0)
        throw commonErrors.adminRequired('Only an administrator may filter by these.').with({
          fields: refused.map((name) => ({
            ...bodyField(`/${name}`, 'admin_required', 'may only be stated by an administrator'),
            in: 'query' as const,
          })),
        });
      const owner = isAdmin ? user : caller.sub;
      return cursors.page(
        { list: 'redemptions', owner: caller.sub, query },
        (slice) => redemptions.list({ owner, campaignId: campaign }, slice),
        showRedemption,
      );
    },

    getRedemption: async ({ caller, params }) => showRedemption(await load(params.id, ownerOf(caller))),

    confirmRedemption: {
      handle: async ({ params }) => showRedemption(await confirmRedemption(needs, params.id)),
      again: async ({ params }) => showRedemption(await load(params.id, null)),
    },

    async releaseRedemption(request) {
      const { caller, params } = request;
      const by = caller.role === 'admin' ? { admin: actorOf(request) } : { owner: caller.sub };
      return showRedemption(await releaseRedemption(needs, params.id, by));
    },

    releaseRedemptionsOfUser: (request) => releaseRedemptionsOfUser(needs, request.query.user, actorOf(request)),
  };

  async function load(id: string, owner: string | null) {
    const found = await redemptions.load(id);
    if (!found || (owner !== null && found.owner !== owner)) throw notFound('redemption');
    return found;
  }
}

/** Whose redemptions the caller may see; null for an administrator, who may see all. */
function ownerOf({ sub, role }: { readonly sub: string; readonly role: string }): string | null {
  return role === 'admin' ? null : sub;
}
