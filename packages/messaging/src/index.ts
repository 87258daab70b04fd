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
export { MessagingError } from './errors.ts';
export type { MessagingErrorCode } from './errors.ts';
export { createInProcessBroker } from './in-process/broker.ts';
export type { InProcessBroker, InProcessOptions } from './in-process/broker.ts';
export { currentCause, runWithCause } from './middleware/correlation.ts';
export { connectRabbitmq } from './rabbitmq/connect-rabbitmq.ts';
export { deployTopology } from './rabbitmq/deploy-topology.ts';
export type { TopologyOptions, TopologyStep } from './rabbitmq/deploy-topology.ts';
export { deployUsers } from './rabbitmq/deploy-users.ts';
export type { BusUser, UserStep } from './rabbitmq/deploy-users.ts';
export { countQueues, emptyQueues } from './rabbitmq/queue-counts.ts';
export type { QueueCount } from './rabbitmq/queue-counts.ts';
export type { RabbitmqOptions } from './rabbitmq/connect-rabbitmq.ts';
export type { BusOptions, Delivered } from './settings.ts';
export { on, subscription } from './subscription.ts';
export type { Reaction } from './subscription.ts';
export type { Topology } from './topology.ts';
