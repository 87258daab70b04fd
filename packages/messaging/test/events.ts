import { newId, toEvent, type Event } from '@storefront/contracts';

export const registered = 'identity.user-registered';
export const stockChanged = 'catalog.stock-changed';
export const revoked = 'identity.tokens-revoked';

export const welcome = { queue: 'engagement.on-user-registered', types: [registered] };
export const statistics = { queue: 'engagement.on-anything', types: [registered, stockChanged] };
export const topology = [welcome, statistics];

/** An event with a new subject unless one is given. */
export function event(type: string, { subject = newId('user'), sequence = 1 } = {}): Event {
  const [source = ''] = type.split('.');
  return toEvent(
    { type, source, dataschema: `${type}/v1`, subject, data: { sequence } },
    { sequence, time: new Date(), cause: { correlationid: `request-${sequence}` } },
  );
}
