import type { ordersHttp, ordersOperations } from '@storefront/contracts';
import { actorOf, ifMatch, newIdFor, sendVersioned, type Cursors, type Handlers } from '@storefront/http';
import { toPercent } from '../../domain/tax.ts';
import {
  changeShippingOption,
  createShippingOption,
  deleteShippingOption,
  putTaxRates,
} from '../commands/change-settings.ts';
import { allOptions, find, optionFaults, pageOfOptions, type StoredOption } from '../domain/shipping-options.ts';
import { allRates, ratesInForce, taxRateFaults, type Seller, type StoredTaxRates } from '../domain/tax-rates.ts';
import type { Store } from '../store/collections.ts';

type Operation =
  | 'listShippingOptions'
  | 'createShippingOption'
  | 'getShippingOption'
  | 'changeShippingOption'
  | 'deleteShippingOption'
  | 'getTaxRates'
  | 'putTaxRates';

interface Needs extends Store {
  readonly seller: Seller;
  /** The shop's currency. */
  readonly currency: string;
  readonly cursors: Cursors;
  readonly now: () => Date;
}

/** Routes for staff, who set how the shop ships and what tax it charges. */
export function settingsHandlers(needs: Needs): Pick<Handlers<typeof ordersOperations>, Operation> {
  const { shippingOptions, taxRates, cursors, currency, seller } = needs;
  const load = async () => (await shippingOptions.load(allOptions))?.state ?? null;

  return {
    listShippingOptions: ({ caller, query }) =>
      cursors.page(
        { list: 'shipping-options', owner: caller.sub, query },
        async (slice) => pageOfOptions(await load(), slice),
        showOption,
      ),

    createShippingOption: {
      check: (body) => optionFaults(body, currency),
      async handle(request, reply) {
        const id = newIdFor(request, 'shopt');
        const option = await createShippingOption(needs, { id, actor: actorOf(request), given: request.body });
        void reply.header('location', `/v1/shipping-options/${id}`);
        return sendVersioned(request, reply, option.version, showOption(option));
      },
    },

    async getShippingOption(request, reply) {
      const option = find(await load(), request.params.id);
      return sendVersioned(request, reply, option.version, showOption(option));
    },

    changeShippingOption: {
      check: (body) => optionFaults(body, currency),
      async handle(request, reply) {
        const { id } = request.params;
        const target = { id, actor: actorOf(request), expect: ifMatch(request) };
        const option = await changeShippingOption(needs, { ...target, given: request.body });
        return sendVersioned(request, reply, option.version, showOption(option));
      },
    },

    async deleteShippingOption(request) {
      const { id } = request.params;
      await deleteShippingOption(needs, { id, actor: actorOf(request), expect: ifMatch(request) });
      return null;
    },

    async getTaxRates(request, reply) {
      const stored = await taxRates.load(allRates);
      return sendVersioned(request, reply, stored?.version ?? 0, showRates(stored?.state ?? null));
    },

    putTaxRates: {
      check: (body) => taxRateFaults(body, seller),
      async handle(request, reply) {
        const change = { actor: actorOf(request), expect: ifMatch(request), given: request.body };
        const { state, version } = await putTaxRates(needs, change);
        return sendVersioned(request, reply, version, showRates(state));
      },
    },
  };

  function showRates(stored: StoredTaxRates | null): ordersHttp.TaxRatesBody {
    const rates = [...ratesInForce(stored, seller).countries.values()];
    return {
      rates: rates.map(({ country, standard, reduced, zero }) => ({
        country,
        standard: toPercent(standard),
        reduced: reduced === null ? null : toPercent(reduced),
        zero: toPercent(zero),
      })),
      updatedAt: stored?.updatedAt.toISOString() ?? null,
    };
  }
}

function showOption(option: StoredOption): ordersHttp.ShippingOptionBody {
  const { version: _version, currency, price, freeFrom, countries, tiers, ...rest } = option;
  return {
    ...rest,
    countries: countries && [...countries],
    tiers: [...tiers],
    price: { amount: price, currency },
    freeFrom: freeFrom === null ? null : { amount: freeFrom, currency },
    createdAt: option.createdAt.toISOString(),
    updatedAt: option.updatedAt.toISOString(),
  };
}
