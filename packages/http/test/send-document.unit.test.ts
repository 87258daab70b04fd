import { setImmediate as turn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';
import { describe, expect, it } from 'vitest';
import { createDocumentSender } from '../src/send-document.ts';

const file = { name: 'INV-2026-000001.pdf', mediaType: 'application/pdf', disposition: 'inline' } as const;

/** A reply that notes what is called of it. */
function fakeReply() {
  const called: string[] = [];
  const reply = Object.fromEntries(
    ['header', 'type', 'send'].map((name) => [
      name,
      () => {
        called.push(name);
        return reply;
      },
    ]),
  );
  return { called, asReply: reply as unknown as FastifyReply };
}

describe('making documents', () => {
  it('makes two at a time, and refuses at once what is too much for the queue', async () => {
    const sendDocument = createDocumentSender();
    let [underWay, most] = [0, 0];
    const make = async () => {
      underWay += 1;
      most = Math.max(most, underWay);
      await turn();
      underWay -= 1;
      return Buffer.from('document');
    };
    const { asReply } = fakeReply();
    const sent = await Promise.allSettled(Array.from({ length: 40 }, () => sendDocument(asReply, file, make)));
    const refused = sent.filter((result) => result.status === 'rejected');
    expect(most).toBe(2);
    expect(refused).toHaveLength(6);
    for (const { reason } of refused) expect(reason).toMatchObject({ kind: 'unavailable', code: 'overloaded' });
    await expect(sendDocument(asReply, file, make)).resolves.toBeDefined();
  });

  it('names no file where the document could not be made', async () => {
    const { asReply, called } = fakeReply();
    const fail = () => Promise.reject(new Error('no font'));
    await expect(createDocumentSender()(asReply, file, fail)).rejects.toThrow('no font');
    expect(called).toEqual([]);
  });
});
