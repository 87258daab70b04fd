import { expect, test } from 'vitest';
import type { Evidence } from './evidence.ts';
import { createLedger } from './ledger.ts';
import { countMails } from './mails.ts';

const found = (times: number) => ({ mailsRequested: () => times }) as unknown as Evidence;
const count = (evidence: Evidence) => evidence.mailsRequested('ada@example.com', 'welcome');

function ledgerOf(...promises: { atLeast: number; atMost: number; isAcknowledged: boolean }[]) {
  const ledger = createLedger();
  for (const { isAcknowledged, ...effects } of promises) {
    const entry = ledger.begin('verify');
    if (isAcknowledged) entry.acknowledged();
    entry.promise('mail', { ...effects, count });
  }
  return ledger;
}
const sure = { atLeast: 1, atMost: 1, isAcknowledged: true };
const unsure = { atLeast: 0, atMost: 1, isAcknowledged: false };

test('what was acknowledged and is not there is lost', async () => {
  const tally = await ledgerOf(sure).settle(found(0));
  expect(tally).toMatchObject({ acknowledged: 1, ok: 0, lost: 1, duplicated: 0 });
  expect(tally.findings).toMatchObject([{ kind: 'lost', operations: ['#1 verify'], expected: '1', found: '0' }]);
});

test('what is there more often than it was asked for is duplicated', async () => {
  expect(await ledgerOf(sure).settle(found(3))).toMatchObject({ ok: 0, lost: 0, duplicated: 2 });
});

test('what nobody knows may be there or not, but not twice', async () => {
  expect(await ledgerOf(unsure).settle(found(0))).toMatchObject({ acknowledged: 0, lost: 0, duplicated: 0 });
  expect(await ledgerOf(unsure).settle(found(1))).toMatchObject({ lost: 0, duplicated: 0 });
  expect(await ledgerOf(unsure).settle(found(2))).toMatchObject({ duplicated: 1 });
});

test('promises about one thing add up; a replacement stands alone', async () => {
  expect(await ledgerOf(sure, sure).settle(found(1))).toMatchObject({ acknowledged: 2, ok: 0, lost: 1 });
  const ledger = ledgerOf(sure, sure);
  ledger.begin('again').replace('mail', { atLeast: 1, atMost: 1, count });
  expect(await ledger.settle(found(1))).toMatchObject({ ok: 2, lost: 0, duplicated: 0 });
});

test('whoever is erased is owed nothing of what was promised, and what must never be must not be then either', async () => {
  const erase = (isSure: boolean) => {
    const ledger = createLedger();
    const entry = ledger.begin('verify');
    entry.acknowledged();
    entry.about('ada@example.com');
    entry.promise('mail', { ...sure, count });
    entry.promise('acceptances of a dead token', { atLeast: 0, atMost: 0, count });
    ledger.begin('register').promise('mail of somebody else', { atLeast: 0, atMost: 9, count });
    ledger.begin('erase').erased('ada@example.com', isSure);
    return ledger;
  };
  for (const isSure of [true, false]) expect(await erase(isSure).settle(found(0))).toMatchObject({ lost: 0 });
  expect((await erase(true).settle(found(2))).findings.map(({ what }) => what)).toEqual([
    'acceptances of a dead token',
  ]);
  expect((await erase(false).settle(found(2))).findings.map(({ what }) => what)).toEqual([
    'mail',
    'acceptances of a dead token',
  ]);
});

const nobody = { erased: new Set<string>(), senderKills: [] };

test('a mail that comes again is put down to the kill of its sender in between', () => {
  const mail = (messageId: string, arrivedAt: number) => ({ messageId, to: 'ada@x', subject: '', arrivedAt });
  const arrived = [mail('a', 10_000), mail('b', 10_000), mail('c', 50_000), mail('a', 25_000), mail('c', 55_000)];
  const counted = countMails(arrived, { delivered: new Set() }, { ...nobody, senderKills: [11_000, 40_000, 60_000] });
  expect(counted).toMatchObject({ repeated: 2, afterKill: [1, 0, 0], unexplained: 1 });
});

test('mails are compared by their Message-ID', () => {
  const mail = (messageId: string, arrivedAt = 0) => ({ messageId, to: 'ada@x', subject: '', arrivedAt });
  const arrived = [mail('a@x'), mail('b@x'), mail('a@x', 5)];
  expect(countMails(arrived, { delivered: new Set(['a', 'b', 'c']) }, nobody)).toEqual({
    arrived: 3,
    distinct: 2,
    repeated: 1,
    again: ['ada@x after 5 ms'],
    afterKill: [],
    unexplained: 1,
    missing: 1,
    unknown: 0,
  });
});

test('a mail that nobody was asked to send is unknown, unless whoever got it is erased and so is the request', () => {
  const mail = (to: string) => ({ messageId: `${to}@x`, to, subject: '', arrivedAt: 0 });
  const arrived = [mail('ada'), mail('eve')];
  expect(countMails(arrived, { delivered: new Set() }, { ...nobody, erased: new Set(['ada']) })).toMatchObject({
    unknown: 1,
  });
});
