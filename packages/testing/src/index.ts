export { outcomes, statuses, times, wrongFields, type Answer } from './answers.ts';
export { coverageOf, type ApiCoverage } from './coverage.ts';
export { freshDatabase } from './database.ts';
export { newEvent } from './events.ts';
export { eventually } from './eventually.ts';
export { anonymous, createFakeGateway, principal, type FakeGateway } from './fake-gateway.ts';
export { fill } from './fill.ts';
export type { ServiceProcess } from './fork-service.ts';
export { memoryLogger } from './logger.ts';
export { findSlow, measuresOutboxes, recordQueries, type RanQuery } from './queries.ts';
export {
  startService,
  type Call,
  type Harness,
  type HarnessOptions,
  type Instance,
  type InstanceOptions,
} from './start-service.ts';
export { onePixel } from './pictures.ts';
export { plainEnv } from './plain-env.ts';
export { runCommand, startCommand, type CommandOutcome } from './run-command.ts';
export { startProxy, type TcpProxy } from './tcp-proxy.ts';
export { openTestBus } from './test-bus.ts';
export { freshVhost } from './vhost.ts';
