import { memoryLogger } from '@storefront/testing';
import { afterEach, beforeEach } from 'vitest';
import type { Bus, BusOptions } from '../src/index.ts';
import { topology } from './events.ts';

/** A broker of its own for one test, and buses on it. */
export interface Harness {
  connect(options: BusOptions): Promise<Bus>;
  close(): Promise<void>;
}

/** Opens a harness before each test of the suite; `connect` opens a bus on it. All is closed after the test. */
export function inEachTest<Opened extends Harness>(open: () => Promise<Opened>) {
  let harness: Opened;
  let buses: Bus[];
  beforeEach(async () => {
    harness = await open();
    buses = [];
  });
  afterEach(async () => {
    await Promise.all(buses.map((bus) => bus.close()));
    await harness.close();
  });
  return {
    harness: () => harness,
    connect: async (options: Partial<BusOptions> = {}): Promise<Bus> => {
      const { logger } = memoryLogger();
      const bus = await harness.connect({ topology, logger, name: 'test', retryDelaysMs: [40, 80], ...options });
      buses.push(bus);
      return bus;
    },
  };
}
