import { shareOf } from './ratios.ts';
import type { Report } from './report.ts';

/** Who registers, and what becomes of applications for trade accounts. */
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
