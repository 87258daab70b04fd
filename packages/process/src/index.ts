export { readCommandLine } from './command-line.ts';
export { ConfigError, configTypes, describeConfig, loadConfig, serviceConfig } from './config.ts';
export type { ServiceConfig } from './config.ts';
export { defineService } from './define-service.ts';
export type { Overrides, Running, Service } from './define-service.ts';
export { createLogger } from './logger.ts';
export { measureBus } from './measure-bus.ts';
export { Counter, createMetrics, Gauge, Histogram, Registry } from './metrics.ts';
export { runService } from './run.ts';
