import { notFound, type ordersOperations } from '@storefront/contracts';
import { etagOf, ifMatch, noteForReplay, noteOf, seedOf, type Handlers } from '@storefront/http';
import type { Loaded } from '@storefront/mongo';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { shippingPriceOf } from '../../domain/shipping.ts';
import { tierOf } from '../../domain/tier.ts';
import type { Settings } from '../../settings/settings.ts';
import {
  changeCart,
  createCart,
  mergeCart,
  removeCartLine,
  setCartLine,
  type CartNeeds,
} from '../commands/change-carts.ts';
import { quoteCart } from '../commands/quote-cart.ts';
import type { Cart, Shopper } from '../domain/cart.ts';
import { pricedLines, subtotalOf, type Pricing } from '../domain/priced-cart.ts';
import { showCart, showQuote } from './show-cart.ts';

type Operation =
  | 'createCart'
  | 'getMyCart'
  | 'mergeCart'
  | 'getCart'
  | 'changeCart'
  | 'setCartLine'
  | 'removeCartLine'
  | 'listCartShippingOptions'
  | 'quoteCart';

type Needs = CartNeeds &
  Settings & {
    /** The public address of the API. */
    readonly apiUrl: string;
  };

type Caller = FastifyRequest['caller'];

function shopperOf(caller: NonNullable<Caller>): Shopper;
function shopperOf(caller: Caller): Shopper | null;
function shopperOf(caller: Caller): Shopper | null {
  return caller && { userId: caller.sub, tier: tierOf(caller) };
}

export function cartHandlers(needs: Needs): Pick<Handlers<typeof ordersOperations>, Operation> {
  const { carts, cartReads, cartIds, currency, apiUrl, shippingOptions, sellerCountry } = needs;

  return {
    createCart: {
      async handle(request, reply) {
        const { caller, clientIp: ip, body } = request;
        const created = await createCart(needs, { by: shopperOf(caller), ip, ...body, seed: seedOf(request) });
        const id = cartIds.idOf(created.state.seed);
        void reply.header('location', `/v1/carts/${id}`);
        return answer(reply, caller, id, created);
      },
      async again(request, reply) {
        const id = cartIds.idOf(seedOf(request) ?? '');
        return answer(reply, request.caller, id, await load(id));
      },
    },

    async getMyCart({ caller }, reply) {
      const { id, cart } = await mineOf(caller.sub);
      return answer(reply, caller, id, cart);
    },

    mergeCart: {
      async handle(request) {
        const { caller, body } = request;
        const { cart, noRoom } = await mergeCart(needs, { by: shopperOf(caller), cartId: body.cartId });
        noteForReplay(request, noRoom.join(' '));
        return { cart: await show(caller, cartIds.idOfCart(cart) ?? body.cartId, cart), noRoom };
      },
      async again(request) {
        const { caller } = request;
        const noRoom = noteOf(request).split(' ').filter(Boolean);
        const { id, cart } = await mineOf(caller.sub);
        return { cart: await show(caller, id, cart.state), noRoom };
      },
    },

    async getCart({ caller, params }, reply) {
      return answer(reply, caller, params.id, await load(params.id));
    },

    async changeCart(request, reply) {
      const { caller, params, body } = request;
      const change = { id: params.id, expect: ifMatch(request), change: body };
      return answer(reply, caller, params.id, await changeCart(needs, change));
    },

    async setCartLine(request, reply) {
      const { caller, params, body } = request;
      const change = { ...params, ...body, expect: ifMatch(request), by: shopperOf(caller) };
      return answer(reply, caller, params.id, await setCartLine(needs, change));
    },

    async removeCartLine(request, reply) {
      const { caller, params } = request;
      const change = { ...params, expect: ifMatch(request), by: shopperOf(caller) };
      return answer(reply, caller, params.id, await removeCartLine(needs, change));
    },

    async listCartShippingOptions({ caller, params, query }) {
      const { state } = await load(params.id);
      const pricing = pricingFor(caller);
      const [options, lines] = await Promise.all([shippingOptions(), linesOf(state, pricing)]);
      const country = query.country ?? state.country ?? sellerCountry;
      const parcel = { ...pricing, country, subtotal: subtotalOf(lines) };
      const possible = options.flatMap(({ id, name, deliveryDays, ...option }) => {
        const shipping = shippingPriceOf({ id, name, deliveryDays, ...option }, parcel);
        return 'price' in shipping ? [{ id, name, price: { amount: shipping.price, currency }, deliveryDays }] : [];
      });
      return { data: possible.toSorted((a, b) => a.price.amount - b.price.amount) };
    },

    async quoteCart({ caller, params, body }) {
      const { state } = await load(params.id);
      const pricing = pricingFor(caller);
      return showQuote(await quoteCart(needs, state, body, { ...pricing, userId: caller?.sub ?? null }), pricing);
    },
  };

  async function load(id: string): Promise<Loaded<Cart>> {
    const found = await carts.load(cartIds.digestOf(id));
    if (!found) throw notFound('cart');
    return found;
  }

  async function mineOf(userId: string): Promise<{ readonly id: string; readonly cart: Loaded<Cart> }> {
    const cart = await cartReads.newestOf(userId);
    const id = cart && cartIds.idOfCart(cart.state);
    if (!cart || id === null) throw notFound('cart');
    return { id, cart };
  }

  // The tag is weak: it is the version of the cart, but names, prices and stock change without a new version.
  function answer(reply: FastifyReply, caller: Caller, id: string, { state, version }: Loaded<Cart>) {
    void reply.header('etag', `W/${etagOf(version)}`);
    return show(caller, id, state);
  }

  async function show(caller: Caller, id: string, cart: Cart) {
    const pricing = pricingFor(caller);
    return showCart(cart, await linesOf(cart, pricing), { ...pricing, id, apiUrl });
  }

  async function linesOf(cart: Cart, pricing: Pricing) {
    return pricedLines(cart, await cartReads.products(cart.lines.map(({ productId }) => productId)), pricing);
  }

  function pricingFor(caller: Caller): Pricing {
    return { tier: tierOf(caller), currency };
  }
}
