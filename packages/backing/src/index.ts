export { findChromium } from './chromium.ts';
export { startBacking, type Backing } from './backing.ts';
export type { BackingOptions } from './choice.ts';
export type { BackingBroker } from './choose-broker.ts';
export type { BackingMail } from './choose-mail.ts';
export type { BackingMongodb } from './choose-mongodb.ts';
export { BackingError, reasonOf } from './error.ts';
export { startMailbox, type MailboxOptions, type StartedMailbox } from './mailbox/start.ts';
export { findMongod } from './mongodb/find.ts';
export { startMongod, type MongodOptions } from './mongodb/start.ts';
export { assertMongodbAnswers } from './mongodb/answers.ts';
export { openDataFolder } from './process/data-folder.ts';
export {
  lastLines,
  startProcess,
  whenReady,
  type ManagedProcess,
  type ManagedProcessOptions,
} from './process/managed.ts';
export { freePort, isFree } from './process/ports.ts';
export { startReaper, type Reaper } from './process/reaper.ts';
export type { StartedServer } from './process/started-server.ts';
export { onPath } from './process/programs.ts';
export { controlRabbitmq } from './rabbitmq/control.ts';
export { findRabbitmq, type RabbitmqPrograms } from './rabbitmq/find.ts';
export { diskFreeLimitMegabytes, writeSettings as writeRabbitmqSettings } from './rabbitmq/settings.ts';
export { startRabbitmq, type RabbitmqOptions, type StartedRabbitmq } from './rabbitmq/start.ts';
export { cachedFromWheel, type Wheel } from './wheel.ts';
