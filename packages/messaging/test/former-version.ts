/** The arguments with which the version before this one declared every queue of a subscription. */
export const argumentsOfFormerVersion = {
  'x-queue-type': 'quorum',
  'x-dead-letter-exchange': '',
  'x-dead-letter-routing-key': 'storefront.dead',
  'x-dead-letter-strategy': 'at-least-once',
  'x-overflow': 'reject-publish',
  'x-delivery-limit': 20,
};

/** The four delay queues that the version before this one declared for each queue, with their arguments. */
export function delayQueuesOfFormerVersion(queue: string): { name: string; arguments: Record<string, unknown> }[] {
  return [1, 10, 60, 300].map((seconds) => ({
    name: `${queue}.wait-${seconds}s`,
    arguments: {
      'x-queue-type': 'quorum',
      'x-dead-letter-exchange': '',
      'x-dead-letter-routing-key': queue,
      'x-dead-letter-strategy': 'at-least-once',
      'x-overflow': 'reject-publish',
      'x-message-ttl': seconds * 1_000,
    },
  }));
}
