import { describe, expect, it } from 'vitest';
import type { AuditEntry } from './entry.ts';
import { auditCsv } from './export-lines.ts';

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

const { head, lines } = auditCsv('standard');

describe('a line of CSV', () => {
  it('has a cell for each column', () => {
    expect(lines([entry])).toBe(
      'aud_1,1970-01-01T00:00:00.000Z,login,refused,,,nobody,203.0.113.7,,,user,,,"{""attempts"":2}",false\r\n',
    );
    expect(head.split(',')).toHaveLength(15);
  });

  it('has no formula where a device is one', () => {
    expect(lines([{ ...entry, actor: { ...entry.actor, device: '=cmd|"/c calc"!A0' } }])).toContain(
      `,"'=cmd|""/c calc""!A0",`,
    );
  });
});
