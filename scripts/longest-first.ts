import { BaseSequencer, type TestSpecification as TestFile } from 'vitest/node';

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

// These wait for most of their time, up to 50 s: for leases to end, for the next try, for an answer that does not come.
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

/** The files that the list names, in its order. */
const named = (list: readonly string[], files: readonly TestFile[]): TestFile[] =>
  list.flatMap((name) => files.filter(({ moduleId }) => moduleId.includes(name)));

/** Puts `some` between the `others`, at equal distances. */
function spread(some: readonly TestFile[], others: readonly TestFile[]): TestFile[] {
  const distance = Math.ceil(others.length / (some.length + 1));
  return [
    ...some.flatMap((file, at) => [file, ...others.slice(at * distance, (at + 1) * distance)]),
    ...others.slice(some.length * distance),
  ];
}

/**
 * Starts the longest test files first, so that the others run in parallel with them. Those that wait most of their time come one after
 * the other, so that there is other work for the processors meanwhile.
 */
export default class LongestFirst extends BaseSequencer {
  override async sort(files: TestFile[]): Promise<TestFile[]> {
    const sorted = await super.sort(files);
    const [first, waiters] = [named(longest, sorted), named(waiting, sorted)];
    const others = sorted.filter((file) => !first.includes(file) && !waiters.includes(file));
    const isInt = ({ moduleId }: TestFile) => moduleId.includes('.int.');
    return [...first, ...spread(waiters, others.filter(isInt)), ...others.filter((file) => !isInt(file))];
  }
}
