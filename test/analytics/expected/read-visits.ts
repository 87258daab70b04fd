import type { Visit } from '../../../stack/src/history/history.ts';
import type { Happened } from './happened.ts';

/** What the clients told says, each once. */
export function readVisits(visits: readonly Visit[]): Happened[] {
  const distinct = new Map(visits.map((visit) => [visit.event.id, visit]));
  return [...distinct.values()].flatMap(({ by, event }) => {
    const isUser = by !== null && 'userId' in by;
    const common = {
      id: event.id,
      at: Date.parse(event.at),
      segment: isUser ? by.role : ('guest' as const),
      who: isUser ? by.userId : by && `visitor ${by.anonymousId}`,
      of: '',
      currency: '',
      amounts: {},
    };
    const active: Happened[] = isUser ? [{ ...common, what: 'active' }] : [];
    switch (event.type) {
      case 'product-viewed':
        return [...active, { ...common, what: 'viewed', of: String(event['productId']) }];
      case 'cart-updated':
        return [...active, { ...common, what: 'carted' }];
      case 'checkout-started':
        return [...active, { ...common, what: 'checkout' }];
      case 'search-performed': {
        const oneI = String(event['query']).normalize('NFC').replaceAll(/[Iİı]/g, 'i');
        const words = oneI.toLowerCase().trim().replaceAll(/\s+/g, ' ');
        return [...active, { ...common, what: 'searched', of: words, amounts: { results: Number(event['results']) } }];
      }
      default:
        return active;
    }
  });
}
