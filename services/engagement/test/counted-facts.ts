import { calendarOf } from '@storefront/calendar';
import { countsOf, laterCountsOf, setsOf } from '../src/analytics/domain/facts/kinds.ts';
import type { Fact } from '../src/analytics/domain/facts/fact.ts';
import { textOf } from '../src/analytics/domain/facts/texts.ts';
import type { FactDocument } from '../src/analytics/store/facts.ts';
import { actsOf } from '../src/analytics/domain/roll-ups/acts.ts';
import { countsOfFlags } from '../src/analytics/domain/roll-ups/count-flags.ts';
import { flagsOf } from '../src/analytics/domain/roll-ups/flags.ts';
import { monthsAfter } from '../src/analytics/domain/facts/retention.ts';
import type { Counted } from './naive-roll-ups.ts';

const { startOf } = calendarOf('Europe/Berlin');

/** What facts count for, in a shop in Berlin, and what flags on them do, each person's facts seen at once. */
export function countedOf(documents: readonly FactDocument[]): Counted[] {
  const ofPeople = Map.groupBy(documents, ({ person }) => person);
  ofPeople.delete(null);
  const byPerson = [...ofPeople.values()].map((theirs) => flagsOf(actsOf(theirs)));
  const shown = shownTexts(documents);
  return documents.flatMap((document) => {
    const { _id: id, kind, at, segment, person, data } = document;
    const fact = { id, kind, at, segment, person, data } as Fact;
    const ofPerson = byPerson.flatMap((each) => [...(each.get(id) ?? [])]);
    const flags = shown.has(textOf(fact) ?? '') ? [...ofPerson, 'shown' as const] : ofPerson;
    return [
      { at, segment, person, counts: countsOf(fact), sets: setsOf(fact) },
      ...laterCountsOf(fact).map(({ from, counts }) => ({
        at: startOf(from) > at ? startOf(from) : at,
        segment,
        counts,
      })),
      { at, segment, person, ...countsOfFlags(document, flags) },
    ];
  });
}

/** What five different people at least have searched for. */
function shownTexts(documents: readonly FactDocument[]): ReadonlySet<string> {
  const byText = Map.groupBy(documents, (document) => textOf(document) ?? '');
  byText.delete('');
  const isShown = (searches: readonly FactDocument[]) =>
    new Set(searches.flatMap(({ person }) => person ?? [])).size >= 5;
  return new Set([...byText].flatMap(([text, searches]) => (isShown(searches) ? [text] : [])));
}

const dayMs = 24 * 60 * 60 * 1000;

/** Facts of a few people, most of them within days of each other, so that flags come of them; the same for the same seed. */
export function someFacts(count: number, { seed = 1, from = '2026-03-20', days = 80 } = {}): FactDocument[] {
  const random = randomOf(seed);
  const pick = <One>(...some: readonly One[]): One => some[Math.floor(random() * some.length)] as One;
  return Array.from({ length: count }, (_, index): FactDocument => {
    const at = new Date(Date.parse(from) + Math.floor(random() * days * dayMs));
    const productId = pick('prod_01h455vb4pex5vsknk084sn02q', 'prod_1', 'prod_2', 'prod_3');
    const currency = pick('EUR', 'EUR', 'USD', null);
    const net = Math.floor(random() * 10_000);
    const sold = { units: 2, gross: net + 10, discount: 10, net };
    const variant = { productId, ...pick({ variantId: 'var_1' }, { variantId: 'var_2' }, {}) };
    const goods = { sale: sold, total: net + 5, lines: [{ ...variant, units: 2, revenue: net }] };
    const [kind, data] = pick(
      ['product-viewed', { productId }],
      ['product-viewed', { productId }],
      ['wishlist-item-added', variant],
      ['wishlist-alert-raised', { productId, alert: 'price-drop' }],
      ['cart-updated', {}],
      ['checkout-started', {}],
      ['order-placed', { currency, ...goods }],
      ['order-shipped', {}],
      ['order-delivered', {}],
      [
        'discount-redeemed',
        { currency: 'EUR', total: net, campaigns: [{ campaignId: pick('camp_1', 'camp_2'), amount: 5 }] },
      ],
      ['search-performed', { words: pick('green tea', 'pot'), results: pick(0, 3) }],
      aboutInvoiceOrMessage(net),
    );
    return {
      _id: `fact_${seed}_${String(index).padStart(7, '0')}`,
      kind,
      at,
      segment: pick('trade', 'retail', 'guest'),
      person: random() < 0.1 ? null : pick(1, 2, 3, 4, 65_535, 65_536, 1_048_570) + Math.floor(random() * 8),
      data,
      pending: true,
      publishedAt: new Date(Date.parse('2026-06-20') + index),
      keptUntil: monthsAfter(at, 25),
    };
  });
}

/** What is owed of an invoice that is due, or overdue for long; or a value of which there are medians. */
function aboutInvoiceOrMessage(amount: number): [string, object] {
  const invoice = { currency: 'EUR', invoiceId: 'inv_1' };
  switch (amount % 4) {
    case 0:
      return ['invoice-paid', { ...invoice, total: amount, days: amount / 250 }];
    case 1:
      return ['notification-read', { channel: 'IN_APP', category: 'offers', minutes: amount / 7 }];
    default: {
      const dueOn = amount % 4 === 2 ? '2026-04-01' : '2026-01-10';
      return ['invoice-balance-changed', { ...invoice, dueOn, delta: amount - 5000 }];
    }
  }
}

/** Numbers from 0 to 1 (mulberry32). */
function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
