import { freePort } from '@storefront/backing';

// Chooses as many ports as its argument says, sends them to its parent, and lives until the parent disconnects.
const ports: number[] = [];
for (let count = Number(process.argv[2]); count > 0; count -= 1) ports.push(await freePort());
process.on('message', () => undefined);
process.send?.(ports);
