import { freePort } from '@storefront/backing';

// Chooses so many ports and tells them to its parent; it lives until that lets go of it.
const ports: number[] = [];
for (let count = Number(process.argv[2]); count > 0; count -= 1) ports.push(await freePort());
process.on('message', () => undefined);
process.send?.(ports);
