import { BaseSequencer, type TestSpecification } from 'vitest/node';

// A fresh clone has no record of how long each file takes. Without this list these could start last and run alone.
const longest = [
  'faults/faults.e2e',
  'start.e2e',
  'console.e2e',
  'test/separate.e2e',
  'attacks/matrix.e2e',
  'storefront/shop.e2e',
  'attacks/refused.e2e',
  'faults/crash-points.int',
  'backing/test/rabbitmq.int',
  'analytics/reports.int',
  'engagement/test/announcements.int',
  'billing/test/reminders.int',
  'billing/test/callbacks-storm.int',
  'engagement/test/roll-ups.int',
  'catalog/test/queries.int',
  'test/killed-database.int',
  'operations/test/backup.int',
  'engagement/test/senders.int',
  'messaging/test/rabbitmq-restart.int',
  'identity/test/user-data.int',
  'backing/test/parent-killed.int',
  'catalog/test/import.int',
  'identity/test/staff.int',
  'identity/test/two-parties.int',
  'identity/test/thief-and-owner.int',
  'mongo/test/leases.int',
  'gateway/test/forward.int',
  'messaging/test/rabbitmq-faults.int',
  'messaging/test/deploy-topology.int',
  'backing/test/mongodb.int',
];

/** Starts the longest test files first, so that the others run in parallel with them. */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const at = longest.findIndex((name) => moduleId.includes(name));
      return at === -1 ? longest.length : at;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
