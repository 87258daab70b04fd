import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';

export { Counter, Gauge, Histogram, Registry };

/** A registry for one service: services that share a process must not mix their metrics. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}
