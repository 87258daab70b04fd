import { z } from 'zod';
import type { FactKind } from '../kind.ts';

const data = z.object({});

/** A robot told an event, whatever it was. It is of nobody, and in no figure about people. */
export const robotEvent: FactKind<'robot-event', z.infer<typeof data>> = {
  name: 'robot-event',
  data,
  tellers: [],
  countsOf: () => [{ family: 'robots', of: '', measures: { events: 1 } }],
  setsOf: () => [],
};
