import { Counter, Gauge, Histogram, Registry } from '@prometheus-io/client';

export { Counter, Gauge, Histogram, Registry };

/** Creates a metrics registry for one service. Services that share a process must not mix their metrics. */
export function createMetrics(service: string): Registry {
  const registry = new Registry();
  registry.setDefaultLabels({ service });
  return registry;
}
