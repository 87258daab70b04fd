import { describe, expect, it } from 'vitest';
import type { AuditEntry } from './entry.ts';
import { csvLine, exportHead } from './export-lines.ts';

const entry: AuditEntry = {
  id: 'aud_1',
  at: new Date(0),
  action: 'login',
  outcome: 'refused',
  reason: null,
  actor: { userId: null, role: 'nobody', ip: '203.0.113.7', device: null },
  addressHash: null,
  object: { type: 'user', id: null },
  about: null,
  details: { attempts: 2 },
  erased: false,
};

describe('a line of CSV', () => {
  it('has a cell for each column', () => {
    expect(csvLine(entry)).toBe(
      '"aud_1","1970-01-01T00:00:00.000Z","login","refused","","","nobody","203.0.113.7","","","user","","",' +
        '"{""attempts"":2}","false"\r\n',
    );
    expect(exportHead('csv').split(',')).toHaveLength(15);
    expect(exportHead('ndjson')).toBe('');
  });

  it.each([
    ['=1+1', `"'=1+1"`],
    ['+1', `"'+1"`],
    ['-1', `"'-1"`],
    ['@SUM(A1)', `"'@SUM(A1)"`],
    ['\t=1', `"'\t=1"`],
    [' =1', `"' =1"`],
    ['=cmd|"/c calc"!A0', `"'=cmd|""/c calc""!A0"`],
    ['Mozilla/5.0 (=)', '"Mozilla/5.0 (=)"'],
    ['a,b "c"', '"a,b ""c"""'],
  ])('has no formula where a device is %j', (device, cell) => {
    expect(csvLine({ ...entry, actor: { ...entry.actor, device } })).toContain(`,${cell},`);
  });
});
