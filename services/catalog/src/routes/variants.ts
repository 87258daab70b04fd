import type { catalogHttp, catalogOperations } from '@storefront/contracts';
import { actorOf, ifMatch, newIdFor, seedOf, type Handlers } from '@storefront/http';
import { changeStock } from '../commands/change-stock.ts';
import type { ProductNeeds } from '../commands/revise-product.ts';
import { addVariant, changeVariant, deleteVariant } from '../commands/variants.ts';
import { currencyErrors } from '../domain/product.ts';
import { variantWithId } from '../domain/variants.ts';
import type { Store } from '../store/collections.ts';
import { createProductAnswers } from './answer-product.ts';

type VariantOperation = 'addVariant' | 'changeVariant' | 'deleteVariant' | 'changeVariantStock';

export function variantHandlers(
  parts: ProductNeeds &
    Pick<Store, 'stockMoves'> & {
      /** The currency of the shop. */
      readonly currency: string;
      /** The public address of the API. */
      readonly apiUrl: string;
    },
): Pick<Handlers<typeof catalogOperations>, VariantOperation> {
  const { answer, present, storedVariant } = createProductAnswers(parts);
  const check = (body: Partial<catalogHttp.VariantChange>) => currencyErrors(body, parts.currency);

  return {
    addVariant: {
      check,
      async handle(request, reply) {
        const { params, body } = request;
        const variantId = newIdFor(request, 'var');
        const change = { id: params.id, variantId, actor: actorOf(request), expect: ifMatch(request) };
        const changed = await addVariant(parts, { ...change, input: storedVariant(body) });
        void reply.header('location', `/v1/products/${params.id}`);
        return answer(request, reply, changed);
      },
      async again(request, reply) {
        const found = await present(request.params.id);
        variantWithId(found.state, newIdFor(request, 'var'));
        return answer(request, reply, found);
      },
    },

    changeVariant: {
      check,
      async handle(request, reply) {
        const { params, body } = request;
        const change = { ...params, actor: actorOf(request), expect: ifMatch(request) };
        return answer(request, reply, await changeVariant(parts, { ...change, input: storedVariant(body) }));
      },
    },

    async deleteVariant(request) {
      await deleteVariant(parts, { ...request.params, actor: actorOf(request), expect: ifMatch(request) });
      return null;
    },

    changeVariantStock: {
      async handle(request, reply) {
        const { params, body } = request;
        const { change, reason = null } = body;
        const by = { actor: actorOf(request), expect: ifMatch(request), key: seedOf(request) };
        return answer(request, reply, await changeStock(parts, { ...params, ...by, change, reason }));
      },
      again: async (request, reply) => answer(request, reply, await present(request.params.id)),
    },
  };
}
