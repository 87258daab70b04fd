import { segments } from '../facts/fact.ts';
import { shareOf } from './ratios.ts';
import type { Report } from './report.ts';

/** How many messages were requested, delivered, failed and read, by channel and type. */
export const notifications: Report<'notifications'> = {
  name: 'notifications',
  takes: [],
  segments,
  families: ['notifications'],
  mediansOf: 'notifications',
  things: {
    fields(thing) {
      const [channel = '', type = ''] = thing.split(' ');
      return { channel, type };
    },
    rank: ({ sum }) => sum('notifications', 'requested'),
  },
  measures({ sum, median }) {
    const [delivered, read] = [sum('notifications', 'delivered'), sum('notifications', 'read')];
    return {
      requested: sum('notifications', 'requested'),
      delivered,
      failed: sum('notifications', 'failed'),
      suppressed: sum('notifications', 'suppressed'),
      read,
      readShare: shareOf(read, delivered),
      medianMinutesToRead: median,
    };
  },
};
