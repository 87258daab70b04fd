export type {
  Backlog,
  Broadcast,
  Bus,
  BusHealth,
  DeadLetter,
  DeadLetterPage,
  Handler,
  HandlerAnswer,
  HandlerContext,
  Outcome,
  Published,
  Subscription,
} from './bus.ts';
export { MessagingError, type MessagingErrorCode } from './errors.ts';
export { createInProcessBroker, type InProcessBroker, type InProcessOptions } from './in-process/broker.ts';
export { matchingDeadLetters, type DeadLetterFilters } from './middleware/dead-letter.ts';
export { currentCause, runWithCause } from './middleware/correlation.ts';
export { connectRabbitmq, type RabbitmqOptions } from './rabbitmq/connect-rabbitmq.ts';
export { deployTopology, type TopologyOptions, type TopologyStep } from './rabbitmq/deploy-topology.ts';
export { deployUsers, type BusUser, type UserStep } from './rabbitmq/deploy-users.ts';
export { countQueues, emptyQueues, type QueueCount } from './rabbitmq/queue-counts.ts';
export type { BusOptions, Delivered } from './settings.ts';
export { on, subscription, type Reaction } from './subscription.ts';
export type { Topology } from './topology.ts';
