import type { AuditRecord } from '@storefront/contracts';
import { attemptsOf, isKept, limitsOf } from '../domain/flood.ts';
import type { Floods } from '../store/floods.ts';
import { recordEntry, type RecordEntryNeeds } from './record-entry.ts';

export interface AuditNeeds extends RecordEntryNeeds {
  readonly floods: Floods;
}

/** Writes an entry unless there were too many like it that day; then a few of them say how many there were. */
export async function recordWithinLimits(
  needs: AuditNeeds,
  entry: { readonly id: string; readonly at: Date; readonly record: AuditRecord },
): Promise<void> {
  const limits = limitsOf(entry.record);
  const counts = await needs.floods.count(
    limits.map(({ key }) => key),
    entry.at,
  );
  const counted = limits.map((limit, index) => ({ limit, count: counts[index] ?? 1 }));
  if (!isKept(counted)) return;
  const attempts = attemptsOf(counted);
  const { record } = entry;
  const details = attempts === null ? record.details : { ...record.details, attempts };
  await recordEntry(needs, { ...entry, record: { ...record, details } });
}
