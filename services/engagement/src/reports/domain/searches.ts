import { segments } from '../../facts/domain/fact.ts';
import { shareOf } from './ratios.ts';
import type { Report } from './report.ts';

/** What is searched for, and what is not found. */
export const searches: Report<'searches'> = {
  name: 'searches',
  takes: ['limit'],
  segments,
  families: ['searches'],
  things: { fields: (words) => ({ words }), rank: ({ sum }) => sum('searches', 'times') },
  measures({ sum }) {
    const times = sum('searches', 'times');
    return { times, withoutResultShare: shareOf(sum('searches', 'withoutResult'), times) };
  },
};
