import type { Bus } from '@storefront/messaging';
import { Gauge, type Registry } from './metrics.ts';

/** Adds gauges for the connection to the broker and for the consumed queues. */
export function measureBus(registry: Registry, bus: Pick<Bus, 'health'>): void {
  const connected = new Gauge({
    name: 'broker_connected',
    help: '1 while the broker is there and every queue is consumed, else 0',
    registers: [registry],
    collect() {
      connected.set(bus.health().connected ? 1 : 0);
    },
  });
  const consuming = new Gauge({
    name: 'broker_queue_consuming',
    help: '1 while the queue is consumed, else 0',
    labelNames: ['queue'],
    registers: [registry],
    collect() {
      for (const { queue, consuming: isConsuming } of bus.health().queues)
        consuming.set({ queue }, isConsuming ? 1 : 0);
    },
  });
}
