import { auditRecord, newId, type Actor } from '@storefront/contracts';
import { describe, expect, it } from 'vitest';
import { partsOf, toEntry, type OpenedEntry } from './entry.ts';

const [ada, admin] = [newId('user'), newId('user')];
const stranger: Actor = { userId: null, role: 'nobody', ip: '203.0.113.7', device: 'curl' };
const keeper: Actor = { userId: admin, role: 'admin', ip: '198.51.100.1', device: 'Firefox' };
const user = (id: string | null) => ({ type: 'user', id });

describe('the parts of an entry', () => {
  it('is nothing in clear where persons are concerned', () => {
    const parts = partsOf(
      auditRecord(keeper, 'trade-account-rejected', { object: user(ada), details: { reason: 'No' } }),
    );
    expect(parts).toEqual({
      actor: { userId: admin, ip: keeper.ip, device: keeper.device },
      subject: { userId: ada, details: { reason: 'No' }, ip: null, device: null },
      objectId: null,
      details: null,
      strangerIp: null,
    });
  });

  it("is the account's where a stranger acts on it", () => {
    const parts = partsOf(auditRecord(stranger, 'login', { object: user(ada), refused: 'invalid_credentials' }));
    expect(parts).toMatchObject({ actor: null, subject: { ip: stranger.ip, device: 'curl' }, strangerIp: null });
  });

  it('is only an address where no account is concerned', () => {
    const parts = partsOf(auditRecord(stranger, 'login', { object: user(null), refused: 'invalid_credentials' }));
    expect(parts).toMatchObject({ actor: null, subject: null, strangerIp: stranger.ip });
  });

  it('is in clear for what the shop sells', () => {
    const parts = partsOf(
      auditRecord(keeper, 'price-changed', { object: { type: 'product', id: 'prod_1' }, details: { was: 1 } }),
    );
    expect(parts).toMatchObject({ subject: null, objectId: 'prod_1', details: { was: 1 } });
  });
});

describe('an entry that is read', () => {
  const stored: OpenedEntry = {
    id: 'aud_1',
    at: new Date(0),
    action: 'login',
    outcome: 'refused',
    reason: null,
    role: 'nobody',
    objectType: 'user',
    objectId: null,
    addressHash: null,
    details: null,
    actor: null,
    subject: { userId: ada, details: { attempts: 64 }, ip: stranger.ip, device: 'curl' },
    cameLate: false,
  };

  it('shows the address of a stranger, and the account as its object', () => {
    expect(toEntry(stored)).toMatchObject({
      actor: { userId: null, ip: stranger.ip, device: 'curl' },
      object: { type: 'user', id: ada },
      about: ada,
      details: { attempts: 64 },
      erased: false,
    });
  });

  it.each([
    ['the person it concerns', { subject: undefined }],
    ['whoever did it', { role: 'retail', actor: undefined, subject: null }],
    ['whoever did it, before it was written', { role: 'retail', actor: null, subject: null, cameLate: true }],
  ] as const)('knows nothing of %s once they are erased', (_who, gone) => {
    expect(toEntry({ ...stored, ...gone })).toMatchObject({
      actor: { userId: null, ip: null, device: null },
      object: { type: 'user', id: null },
      about: null,
      details: {},
      erased: true,
    });
  });
});

describe('a record', () => {
  it('stays small, whatever a client sends', () => {
    const long = 'x'.repeat(5000);
    const details = Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`field${index}`, long]));
    const record = auditRecord({ userId: ada, role: 'retail', ip: long, device: long }, 'export-requested', {
      object: { type: 'thing', id: long },
      details,
    });
    expect(JSON.stringify(record).length).toBeLessThan(8000);
  });
});
