import { segments } from '../facts/fact.ts';
import { otherTexts } from '../facts/search-text.ts';
import { shareOf } from './ratios.ts';
import type { Report } from './report.ts';

/** How often each text is searched for, and how often nothing is found. */
export const searches: Report<'searches'> = {
  name: 'searches',
  takes: ['limit'],
  segments,
  families: ['searches'],
  only: { searches: ['times', 'withoutResult'] },
  things: {
    fields: (words) => ({ words }),
    rank: ({ sum }) => sum('searches', 'times'),
    ranked: { family: 'searches', by: 'times', rest: otherTexts },
  },
  measures({ sum }) {
    const times = sum('searches', 'times');
    return { times, withoutResultShare: shareOf(sum('searches', 'withoutResult'), times) };
  },
};
