/** What is remembered of a service between two looks. */
export interface Memory {
  /** When the failures that are not interrupted yet began. */
  readonly failingSince: Date | null;
  readonly failures: number;
}

export const nothingSeen: Memory = { failingSince: null, failures: 0 };

/** What a look comes to: `down` since a time and for a reason, `up` again, or nothing that is worth a record. */
export type Verdict =
  | { readonly kind: 'down'; readonly since: Date; readonly reason: string }
  | { readonly kind: 'up' }
  | { readonly kind: 'wait' };

// One lost answer is no incident.
const failuresOfAnIncident = 2;

/** Judges one look at a service; `reason` is null where it was ready. */
export function judge(memory: Memory, reason: string | null, at: Date): { memory: Memory; verdict: Verdict } {
  if (reason === null) return { memory: nothingSeen, verdict: { kind: 'up' } };
  const since = memory.failingSince ?? at;
  const failures = memory.failures + 1;
  return {
    memory: { failingSince: since, failures },
    verdict: failures < failuresOfAnIncident ? { kind: 'wait' } : { kind: 'down', since, reason },
  };
}
