import { shareOf } from './ratios.ts';
import type { Report } from './report.ts';

/** How many people registered, and how applications for trade accounts were decided. */
export const registrations: Report<'registrations'> = {
  name: 'registrations',
  takes: [],
  segments: ['trade', 'retail'],
  families: ['registrations'],
  mediansOf: 'registrations',
  measures({ sum, median }) {
    const [begun, verified] = [sum('registrations', 'begun'), sum('registrations', 'verified')];
    return {
      begun,
      verified,
      shareVerified: shareOf(verified, begun),
      applied: sum('registrations', 'applied'),
      approved: sum('registrations', 'approved'),
      rejected: sum('registrations', 'rejected'),
      medianHours: median,
    };
  },
};
