export { type SplitSecrets, splitSecrets } from './split-secrets.ts';
export { brokerToFill, brokerToRead } from './backup/broker.ts';
export { openDatabases } from './backup/databases.ts';
export { restoreBackup } from './backup/restore-backup.ts';
export { listErased } from './erased-list.ts';
export { takeBackup } from './backup/take-backup.ts';
export { backupConfig, erasedConfig, restoreConfig } from './backup/config.ts';
export { passwordVariable, shardConfig, topologyConfig, usersConfig, usersOf } from './config.ts';
