import { expect, it } from 'vitest';
import { parseEvent } from './parse.ts';

it('bytes that are not UTF-8 are no event, whatever they would be as text', () => {
  const event = {
    specversion: '1.0',
    id: 'evt_01h455vb4pex5vsknk084sn02q',
    source: 'orders',
    type: 'order.placed',
    subject: 'caf\u00e9',
    time: '2026-11-21T09:30:00.000Z',
    dataschema: 'https://shop.example/order.placed/1',
    datacontenttype: 'application/json',
    sequence: 1,
    correlationid: 'request-1234',
    data: {},
  };
  const text = JSON.stringify(event);
  expect(parseEvent(Buffer.from(text))).toMatchObject({ event: { subject: 'caf\u00e9' } });
  expect(parseEvent(Buffer.from(text, 'latin1'))).toEqual({ unreadable: 'not text in UTF-8' });
});
