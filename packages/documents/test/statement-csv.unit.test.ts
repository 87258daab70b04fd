import { expect, it } from 'vitest';
import { statementCsv } from '../src/index.ts';
import { statementOf } from './samples.ts';

it('has the opening balance, the entries, the closing balance and the ageing', () => {
  expect(statementCsv(statementOf({ opening: -5 })).split('\r\n')).toEqual([
    '\ufeffdate,kind,number,id,amount,balance,currency',
    '2026-11-01,opening,,,,-0.05,EUR',
    '2026-11-03,invoice,INV-2026-000120,inv_01,42.81,42.76,EUR',
    '2026-11-20,payment,,pay_01,-142.81,-100.05,EUR',
    '2026-12-01,closing,,,,-100.05,EUR',
    '2026-12-02,not-due,,,,0.00,EUR',
    '2026-12-02,overdue-1-30,,,,0.00,EUR',
    '2026-12-02,overdue-31-60,,,,0.00,EUR',
    '2026-12-02,overdue-61-90,,,,0.00,EUR',
    '2026-12-02,overdue-over-90,,,,0.00,EUR',
    '2026-12-02,credit,,,,100.00,EUR',
    '',
  ]);
});

it('has no digits behind the point in a currency without them', () => {
  expect(statementCsv(statementOf({ currency: 'JPY' }))).toContain(',4281,4281,JPY\r\n');
});

it('has semicolons and decimal commas for a German Excel', () => {
  expect(statementCsv(statementOf({ opening: -5 }), 'excel-de')).toContain('\r\n2026-11-01;opening;;;;-0,05;EUR\r\n');
});

it.each(['=SUM(A1)', '+49', '-12', '@cmd', '\t=1'])('has no formula: %s is a text', (number) => {
  const csv = statementCsv(
    statementOf({}, [{ on: '2026-11-03', kind: 'invoice', number, id: 'inv_01', amount: -100 }]),
  );
  expect(csv).toContain(`2026-11-03,invoice,'${number},inv_01,-1.00,-1.00,EUR`);
});
