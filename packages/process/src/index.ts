export { readCommandLine } from './command-line.ts';
export { ConfigError, configTypes, describeConfig, loadConfig, serviceConfig, type ServiceConfig } from './config.ts';
export {
  defineService,
  type DatabaseCommand,
  type LocalHandler,
  type Overrides,
  type Running,
  type Service,
} from './define-service.ts';
export { giveMemoryBackWhenIdle } from './give-memory-back.ts';
export { instancesOf, isName, systemLookup, type Lookup } from './instances-of.ts';
export { createLogger } from './logger.ts';
export { measureBus } from './measure-bus.ts';
export { Counter, createMetrics, Gauge, Histogram, Registry } from './metrics.ts';
export { repeatEvery } from './repeat-every.ts';
export { isReturnUrl, returnUrls } from './return-urls.ts';
export { loadCommandConfig, type RunningSystem } from './running-system.ts';
export { unwatchedStart, type Starting } from './starting.ts';
