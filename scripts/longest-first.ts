import { BaseSequencer, type TestSpecification } from 'vitest/node';

// A fresh clone has no record of how long each file takes. Without these lists the longest could start last and run alone.
const longest = [
  'faults/faults.e2e',
  'start.e2e',
  'console.e2e',
  'test/separate.e2e',
  'attacks/matrix.e2e',
  'storefront/shop.e2e',
  'attacks/refused.e2e',
  'faults/crash-points.int',
  'analytics/reports.int',
  'backing/test/rabbitmq.int',
];

// These wait for half a minute or longer: for leases to end, for the next try, for an answer that does not come.
const waiting = [
  'engagement/test/senders.int',
  'engagement/test/announcements.int',
  'mongo/test/leases.int',
  'identity/test/user-data.int',
  'operations/test/backup.int',
  'gateway/test/forward.int',
  'gateway/test/access.int',
  'orders/test/checkout.int',
  'messaging/test/rabbitmq-faults.int',
  'gateway/test/names.int',
  'engagement/test/redemptions.int',
  'identity/test/availability.int',
  'orders/test/carts.int',
  'test/halted-database.int',
  'billing/test/payments.int',
  'billing/test/callbacks-later.int',
  'billing/test/callbacks-stripe.int',
  'engagement/test/stream.int',
  'engagement/test/search-texts.int',
  'billing/test/reminders.int',
];

/** Where a file stands in one of the lists; -1 if it does not. */
const placeIn = (list: readonly string[], { moduleId }: TestSpecification) =>
  list.findIndex((name) => moduleId.includes(name));

/** Puts the second list between the items of the first one, in equal distances. */
function spread<Item>(among: readonly Item[], between: readonly Item[]): Item[] {
  const distance = Math.ceil(among.length / (between.length + 1));
  return [
    ...between.flatMap((item, at) => [item, ...among.slice(at * distance, (at + 1) * distance)]),
    ...among.slice(between.length * distance),
  ];
}

/**
 * Starts the longest test files first, so that the others run in parallel with them, and of those that wait most of their time
 * one after the other, so that there is always other work for the processors.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const listed = (list: readonly string[]) =>
      sorted
        .filter((file) => placeIn(list, file) >= 0)
        .toSorted((one, other) => placeIn(list, one) - placeIn(list, other));
    const isListed = (file: TestSpecification) => placeIn([...longest, ...waiting], file) >= 0;
    const isInt = ({ moduleId }: TestSpecification) => moduleId.includes('.int.');
    const others = sorted.filter((file) => !isListed(file));
    const waiters = listed(waiting);
    return [...listed(longest), ...spread(others.filter(isInt), waiters), ...others.filter((file) => !isInt(file))];
  }
}
