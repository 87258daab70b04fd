// Starts all servers and then waits to be killed by the test. Prints the ports of the servers as JSON.
import { findRabbitmq, startBacking, startReaper } from '@storefront/backing';

const [dataDir, removed] = process.argv.slice(2);
if (dataDir === undefined || removed === undefined)
  throw new Error('usage: parent.ts <data folder> <folder to remove>');
startReaper().removeAtEnd(removed);
const backing = await startBacking({
  env: {},
  dataDir,
  bus: (await findRabbitmq()) ? 'rabbitmq' : 'in-process',
  rabbitmqManagement: true,
  say: () => undefined,
});
const { mongodb, broker, mail } = backing;
const ports = [mongodb.url, broker.url, broker.managementUrl, mail.url, mail.page].flatMap((url) =>
  url === undefined ? [] : [Number(new URL(url).port)],
);
process.stdout.write(`${JSON.stringify({ ports })}\n`);
