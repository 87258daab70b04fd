import { expect, test } from 'vitest';
import type { FinalState } from './final-state.ts';
import { createLedger } from './ledger.ts';
import { countMails } from './mails.ts';

const found = (times: number) => ({ mailsRequested: () => times }) as unknown as FinalState;
const count = (finalState: FinalState) => finalState.mailsRequested('ada@example.com', 'welcome');

function ledgerOf(...promises: { atLeast: number; atMost: number; isAcknowledged: boolean }[]) {
  const ledger = createLedger();
  for (const { isAcknowledged, ...effects } of promises) {
    const entry = ledger.begin('verify');
    if (isAcknowledged) entry.acknowledged();
    entry.promise('mail', { ...effects, count });
  }
  return ledger;
}
const certain = { atLeast: 1, atMost: 1, isAcknowledged: true };
const uncertain = { atLeast: 0, atMost: 1, isAcknowledged: false };

test('what was acknowledged and does not exist is lost', async () => {
  const tally = await ledgerOf(certain).compare(found(0));
  expect(tally).toMatchObject({ acknowledged: 1, ok: 0, lost: 1, duplicated: 0 });
  expect(tally.findings).toMatchObject([{ kind: 'lost', operations: ['#1 verify'], expected: '1', found: '0' }]);
});

test('what exists more often than promised is duplicated', async () => {
  expect(await ledgerOf(certain).compare(found(3))).toMatchObject({ ok: 0, lost: 0, duplicated: 2 });
});

test('an uncertain effect may exist or not, but not twice', async () => {
  expect(await ledgerOf(uncertain).compare(found(0))).toMatchObject({ acknowledged: 0, lost: 0, duplicated: 0 });
  expect(await ledgerOf(uncertain).compare(found(1))).toMatchObject({ lost: 0, duplicated: 0 });
  expect(await ledgerOf(uncertain).compare(found(2))).toMatchObject({ duplicated: 1 });
});

test('promises about one thing add up; a replacement stands alone', async () => {
  expect(await ledgerOf(certain, certain).compare(found(1))).toMatchObject({ acknowledged: 2, ok: 0, lost: 1 });
  const ledger = ledgerOf(certain, certain);
  ledger.begin('again').replace('mail', { atLeast: 1, atMost: 1, count });
  expect(await ledger.compare(found(1))).toMatchObject({ ok: 2, lost: 0, duplicated: 0 });
});

test('promises about an erased person are void, and what must never exist still must not', async () => {
  const erase = (isSure: boolean) => {
    const ledger = createLedger();
    const entry = ledger.begin('verify');
    entry.acknowledged();
    entry.about('ada@example.com');
    entry.promise('mail', { ...certain, count });
    entry.promise('acceptances of a dead token', { atLeast: 0, atMost: 0, count });
    ledger.begin('register').promise('mail of somebody else', { atLeast: 0, atMost: 9, count });
    ledger.begin('erase').erased('ada@example.com', isSure);
    return ledger;
  };
  for (const isSure of [true, false]) expect(await erase(isSure).compare(found(0))).toMatchObject({ lost: 0 });
  expect((await erase(true).compare(found(2))).findings.map(({ what }) => what)).toEqual([
    'acceptances of a dead token',
  ]);
  expect((await erase(false).compare(found(2))).findings.map(({ what }) => what)).toEqual([
    'mail',
    'acceptances of a dead token',
  ]);
});

const noFaults = { erased: new Set<string>(), senderKills: [] };

test('a repeated mail is explained by a kill of its sender in between', () => {
  const mail = (messageId: string, arrivedAt: number) => ({ messageId, to: 'ada@x', subject: '', arrivedAt });
  const arrived = [mail('a', 10_000), mail('b', 10_000), mail('c', 50_000), mail('a', 25_000), mail('c', 55_000)];
  const counted = countMails(arrived, { delivered: new Set() }, { ...noFaults, senderKills: [11_000, 40_000, 60_000] });
  expect(counted).toMatchObject({ repeated: 2, afterKill: [1, 0, 0], unexplained: 1 });
});

test('mails are compared by their Message-ID', () => {
  const mail = (messageId: string, arrivedAt = 0) => ({ messageId, to: 'ada@x', subject: '', arrivedAt });
  const arrived = [mail('a@x'), mail('b@x'), mail('a@x', 5)];
  expect(countMails(arrived, { delivered: new Set(['a', 'b', 'c']) }, noFaults)).toEqual({
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

test('a mail without a delivery is unknown, unless its recipient was erased, and the delivery too', () => {
  const mail = (to: string) => ({ messageId: `${to}@x`, to, subject: '', arrivedAt: 0 });
  const arrived = [mail('ada'), mail('eve')];
  expect(countMails(arrived, { delivered: new Set() }, { ...noFaults, erased: new Set(['ada']) })).toMatchObject({
    unknown: 1,
  });
});
