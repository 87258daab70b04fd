export { eventually } from './eventually.ts';
export { freshDatabase } from './database.ts';
export { memoryLogger } from './logger.ts';
export { startProxy } from './tcp-proxy.ts';
export type { TcpProxy } from './tcp-proxy.ts';
export { freshVhost } from './vhost.ts';
