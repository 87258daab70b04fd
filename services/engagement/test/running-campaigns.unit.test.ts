import type { Loaded } from '@storefront/mongo';
import { describe, expect, it } from 'vitest';
import type { Campaign } from '../src/promotions/domain/campaigns/rules.ts';
import { openRunningCampaigns } from '../src/promotions/store/running-campaigns.ts';

const now = new Date('2026-11-22T18:00:00Z');

function campaign(id: string, state: Partial<Campaign> = {}): Loaded<Campaign> {
  const whole: Campaign = {
    id,
    name: id,
    description: null,
    trigger: 'automatic',
    currency: 'EUR',
    stage: 'activated',
    discount: { type: 'free-shipping', maximumAmount: null },
    conditions: {
      segment: 'all',
      startsAt: now,
      endsAt: null,
      minimumSubtotal: null,
      minimumQuantity: null,
      firstOrderOnly: false,
    },
    limits: { total: null, perUser: null, budget: null },
    priority: 100,
    combination: 'stackable',
    activatedAt: now,
    endedAt: null,
    createdAt: now,
    updatedAt: now,
    ...state,
  };
  return { state: whole, version: 3 };
}

/** A database with a version that can be raised, whose reads of all campaigns are answered when the test says so. */
function openFake() {
  let version = 1;
  const reads: ((found: Loaded<Campaign>[]) => void)[] = [];
  const running = openRunningCampaigns({
    campaigns: {
      load: (id) => Promise.resolve(id === 'unknown' ? null : campaign(id, id === 'draft' ? { stage: 'draft' } : {})),
      running: () => new Promise((resolve) => reads.push(resolve)),
    },
    campaignVersions: { present: () => Promise.resolve(version) },
  });
  const idsOf = async (reading: ReturnType<typeof running.present>) => [...(await reading).byId.keys()];
  const settled = () => new Promise((resolve) => setImmediate(resolve));
  return { running, reads, idsOf, settled, raise: () => (version += 1) };
}

describe('the campaigns of the moment', () => {
  it('are read once for each version, however many ask', async () => {
    const { running, reads, settled, raise } = openFake();
    const reading = Array.from({ length: 10 }, () => running.present());
    await settled();
    expect(reads).toHaveLength(1);
    reads[0]?.([campaign('one')]);
    const found = await Promise.all(reading);
    expect(new Set(found).size).toBe(1);
    expect(await running.present()).toBe(found[0]);
    raise();
    const later = running.present();
    await settled();
    expect(reads).toHaveLength(2);
    reads[1]?.([]);
    expect((await later).version).toBe(2);
  });

  it('are never replaced by an older read that takes longer', async () => {
    const { running, reads, idsOf, settled, raise } = openFake();
    const older = idsOf(running.present());
    await settled();
    raise();
    const newer = idsOf(running.present());
    await settled();
    reads[1]?.([campaign('newer')]);
    expect(await newer).toEqual(['newer']);
    reads[0]?.([campaign('older')]);
    expect(await older).toEqual(['older']);
    expect(await idsOf(running.present())).toEqual(['newer']);
    expect(reads).toHaveLength(2);
  });

  it('are read again after a read that failed', async () => {
    const { running, reads, idsOf, settled } = openFake();
    const failed = running.present();
    await settled();
    reads[0]?.(Promise.reject(new Error('away')) as never);
    await expect(failed).rejects.toThrow('away');
    const next = idsOf(running.present());
    await settled();
    reads[1]?.([campaign('one')]);
    expect(await next).toEqual(['one']);
  });

  it('show automatic ones that are activated by priority, and find them by what is in a cart', async () => {
    const { running, reads, settled } = openFake();
    const reading = running.present();
    await settled();
    reads[0]?.([
      campaign('b', { priority: 5 }),
      campaign('a', { priority: 5 }),
      campaign('first', { priority: 1 }),
      campaign('by code', { trigger: 'code' }),
      campaign('paused', { stage: 'paused' }),
    ]);
    const { automatic, index, byId } = await reading;
    expect(automatic.map(({ rules }) => rules.id)).toEqual(['first', 'a', 'b']);
    expect(index.touching([]).map(({ rules }) => rules.id)).toEqual(['first', 'a', 'b']);
    expect([...byId.keys()]).toContain('paused');
    expect(byId.get('by code')).toMatchObject({
      version: 3,
      rules: { trigger: 'code' },
      compiled: { phase: 'shipping' },
    });
  });
});

it('finds any that was activated, and no draft', async () => {
  const found = await openFake().running.find(['one', 'draft', 'unknown', 'one']);
  expect([...found.keys()]).toEqual(['one']);
});
