// Starts all servers and then waits to be killed by the test. Prints as JSON what it has started.
import { startBacking, startReaper } from '@storefront/backing';

const [dataDir, removed, bus] = process.argv.slice(2);
if (dataDir === undefined || removed === undefined || (bus !== 'rabbitmq' && bus !== 'in-process'))
  throw new Error('usage: parent.ts <data folder> <folder to remove> rabbitmq|in-process');
startReaper().removeAtEnd(removed);
const { mongodb, broker, mail } = await startBacking({
  env: {},
  dataDir,
  bus,
  rabbitmqManagement: true,
  say: () => undefined,
});
const ports = [mongodb.url, broker.url, broker.managementUrl, mail.url, mail.page].flatMap((url) =>
  url === undefined ? [] : [Number(new URL(url).port)],
);
process.stdout.write(`${JSON.stringify({ ports, described: [mongodb.described, broker.described] })}\n`);
