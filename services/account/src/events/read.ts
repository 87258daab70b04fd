import type { Event, EventContract } from '@storefront/contracts';
import type { z } from 'zod';

/** The event's data as its contract has it, or why it is not that. */
export function read<Schema extends z.ZodType>(
  contract: EventContract<Schema>,
  event: Event,
): { data: z.output<Schema> } | { outcome: 'reject'; reason: string } {
  const checked = contract.data.safeParse(event.data);
  if (checked.success) return { data: checked.data };
  const wrong = checked.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`);
  return { outcome: 'reject', reason: `not as ${contract.type} has it: ${wrong.join('; ')}` };
}
