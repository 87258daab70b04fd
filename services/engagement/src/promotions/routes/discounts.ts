import { bodyField, engagementOperations, notFound, roleRefusal, type engagementHttp } from '@storefront/contracts';
import { actorOf, newIdFor, noteForReplay, noteOf, type Cursors, type Handlers } from '@storefront/http';
import type { EvaluateCart } from '../commands/evaluate-cart.ts';
import { performStep, redeemCart, releaseRedemptionsOfUser, type RedeemNeeds } from '../commands/redemptions.ts';
import { buyerOf } from '../domain/evaluation/cart.ts';
import { showEvaluation } from '../domain/evaluation/evaluation.ts';
import { userOf, type Redemption } from '../domain/redemptions/redemption.ts';
import type { Step } from '../domain/redemptions/steps.ts';
import type { Redemptions } from '../store/redemptions.ts';

type DiscountOperation =
  | 'evaluateDiscounts'
  | 'redeemDiscounts'
  | 'listRedemptions'
  | 'getRedemption'
  | 'confirmRedemption'
  | 'releaseRedemption'
  | 'releaseRedemptionsOfUser';

interface Needs extends RedeemNeeds {
  readonly redemptions: Redemptions;
  readonly evaluateCart: EvaluateCart;
  readonly cursors: Cursors;
}

/**
 * The routes for shoppers to evaluate their carts and hold discounts, and for staff to redeem discounts for any user.
 */
export function discountHandlers(needs: Needs): Pick<Handlers<typeof engagementOperations>, DiscountOperation> {
  const { redemptions, evaluateCart, cursors } = needs;
  return {
    async evaluateDiscounts({ caller, asStaff, clientIp, body }) {
      return showEvaluation(await evaluateCart(buyerOf(caller, asStaff, body), clientIp, body));
    },

    redeemDiscounts: {
      async handle(request, reply) {
        const { caller, asStaff, body, clientIp } = request;
        const attempt = { id: newIdFor(request, 'red'), buyer: buyerOf(caller, asStaff, body), ip: clientIp };
        const { redemption, isNew } = await redeemCart(needs, attempt, body);
        noteForReplay(request, redemption.id);
        // With an Idempotency-Key, a redemption that an earlier attempt created has the same id as this attempt. Then
        // the answer is 201 again.
        if (isNew || redemption.id === attempt.id)
          void reply.code(201).header('location', `/v1/discounts/redemptions/${redemption.id}`);
        return showRedemption(redemption);
      },
      async again(request) {
        return showRedemption(await load(noteOf(request), ownerOf(request)));
      },
    },

    listRedemptions({ caller, asStaff, query }) {
      const { campaign, user } = query;
      const refused = asStaff ? [] : (['campaign', 'user'] as const).filter((name) => query[name] !== undefined);
      if (refused.length > 0)
        throw roleRefusal(engagementOperations.listRedemptions, 'Only staff may filter by these.').with({
          fields: refused.map((name) => ({
            ...bodyField(`/${name}`, 'role_required', 'may only be stated by staff'),
            in: 'query' as const,
          })),
        });
      const owner = asStaff ? user : caller.sub;
      return cursors.page(
        { list: 'redemptions', owner: caller.sub, query },
        (slice) => redemptions.list({ owner, campaignId: campaign }, slice),
        showRedemption,
      );
    },

    getRedemption: async (request) => showRedemption(await load(request.params.id, ownerOf(request))),

    confirmRedemption: {
      handle: ({ params }) => perform({ kind: 'confirm', id: params.id }),
      again: async ({ params }) => showRedemption(await load(params.id, null)),
    },

    releaseRedemption(request) {
      const { caller, asStaff, params } = request;
      const by = asStaff ? { admin: actorOf(request) } : { owner: caller.sub };
      return perform({ kind: 'release', id: params.id, by });
    },

    releaseRedemptionsOfUser: (request) => releaseRedemptionsOfUser(needs, request.query.user, actorOf(request)),
  };

  async function perform(step: Step) {
    return showRedemption((await performStep(needs, step)).redemption);
  }

  async function load(id: string, owner: string | null) {
    const found = await redemptions.load(id);
    if (!found || (owner !== null && found.owner !== owner)) throw notFound('redemption');
    return found;
  }
}

/** Returns the owner whose redemptions the caller may see; null for staff, who may see all. */
function ownerOf({
  asStaff,
  caller,
}: {
  readonly asStaff: boolean;
  readonly caller: { readonly sub: string };
}): string | null {
  return asStaff ? null : caller.sub;
}

function showRedemption(redemption: Redemption): engagementHttp.RedemptionBody {
  const { id, orderRef, segment, status, heldUntil, confirmedAt, releasedAt, placedAt, retakenAt } = redemption;
  const { placedFor, beyondLimits, parts, currency, evaluation, createdAt, updatedAt } = redemption;
  return {
    id,
    orderRef,
    userId: userOf(redemption),
    segment,
    status,
    heldUntil: heldUntil?.toISOString() ?? null,
    confirmedAt: confirmedAt?.toISOString() ?? null,
    releasedAt: releasedAt?.toISOString() ?? null,
    placedFor,
    placedAt: placedAt?.toISOString() ?? null,
    retakenAt: retakenAt?.toISOString() ?? null,
    beyondLimits: [...beyondLimits],
    campaigns: parts.map(({ campaignId, code, amount }) => ({ campaignId, code, amount: { amount, currency } })),
    createdAt: createdAt.toISOString(),
    updatedAt: updatedAt.toISOString(),
    evaluation: showEvaluation(evaluation),
  };
}
