import { createInProcessBroker } from '../src/index.ts';
import { describeBus } from './bus-contract.ts';

describeBus('in-process', async () => {
  let shared: ReturnType<typeof createInProcessBroker> | undefined;
  return {
    async connect({ name, logger, ...options }) {
      shared ??= createInProcessBroker(options);
      return shared.connect({ name, logger });
    },
    async close() {
      await shared?.close();
    },
  };
});
