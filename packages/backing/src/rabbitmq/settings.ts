import { mkdir, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RabbitmqPrograms } from './find.ts';

export interface RabbitmqPorts {
  amqp: number;
  /** The port for Erlang's protocol between nodes and tools. */
  distribution: number;
  /** The port of Erlang's port mapper, through which nodes and tools find the distribution port. */
  epmd: number;
  management: number;
}

/** With less free space than this, RabbitMQ takes no messages. */
export const diskFreeLimitMegabytes = 50;

/** The folder of what the node stores, inside its folder. */
export const dataOf = (folder: string): string => join(folder, 'db');

/**
 * Writes the settings files of a private node into its folder and returns its environment variables. The node shares
 * nothing with the machine's own RabbitMQ: no settings, cookie, data or port mapper.
 */
export async function writeSettings(
  { server }: RabbitmqPrograms,
  folder: string,
  node: string,
  ports: RabbitmqPorts,
  management: boolean,
): Promise<NodeJS.ProcessEnv> {
  const home = join(folder, 'home');
  const config = join(folder, 'rabbitmq.conf');
  const plugins = join(folder, 'enabled_plugins');
  const noVariables = join(folder, 'rabbitmq-env.conf');
  // A message that a delay queue passes on while the node starts may get lost on the way. The queue then sends it
  // again, by default after 180 s; this file sets 10 s.
  const advancedConfig = join(folder, 'advanced.config');
  await mkdir(home, { recursive: true });
  await mkdir(dataOf(folder), { recursive: true });
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${ports.amqp}`,
    'log.file = false',
    'log.console = true',
    'log.console.level = info',
    // With the default, a machine with little free disk space would stop all publishers.
    `disk_free_limit.absolute = ${diskFreeLimitMegabytes}MB`,
    ...(management ? ['management.tcp.ip = 127.0.0.1', `management.tcp.port = ${ports.management}`] : []),
  ];
  await writeFile(config, `${lines.join('\n')}\n`);
  await writeFile(plugins, management ? '[rabbitmq_management].\n' : '[].\n');
  await writeFile(noVariables, '');
  await writeFile(advancedConfig, '[{rabbit, [{dead_letter_worker_publisher_confirm_timeout, 10000}]}].\n');
  const corePlugins = management ? undefined : await linkCore(server, join(folder, 'plugins'));
  return {
    ...inherited(),
    HOME: home,
    ERL_EPMD_PORT: String(ports.epmd),
    ERL_EPMD_ADDRESS: '127.0.0.1',
    RABBITMQ_NODENAME: node,
    RABBITMQ_NODE_PORT: String(ports.amqp),
    RABBITMQ_NODE_IP_ADDRESS: '127.0.0.1',
    RABBITMQ_DIST_PORT: String(ports.distribution),
    RABBITMQ_MNESIA_BASE: dataOf(folder),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_CONFIG_FILE: config,
    RABBITMQ_ADVANCED_CONFIG_FILE: advancedConfig,
    RABBITMQ_CONF_ENV_FILE: noVariables,
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
    ...(corePlugins !== undefined && { RABBITMQ_PLUGINS_DIR: corePlugins }),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    // With this setting the script replaces itself with the server, so that the pid is the server's.
    RABBITMQ_ALLOW_INPUT: 'true',
    // Erlang's distribution protocol listens on loopback only, and the node uses two scheduler threads.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-noinput -kernel inet_dist_use_interface {127,0,0,1} +S 2:2',
  };
}

/**
 * Makes a plugins folder with only the broker's core, which RabbitMQ installs as a plugin. A node that reads all forty
 * plugins takes a quarter longer to start. Returns undefined if the core is not in its usual place.
 */
async function linkCore(server: string, folder: string): Promise<string | undefined> {
  const plugins = join(dirname(dirname(await realpath(server))), 'plugins');
  const core = (await readdir(plugins).catch(() => [])).find((name) => /^rabbit-\d[\d.]*$/.test(name));
  if (core === undefined) return undefined;
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder);
  await symlink(join(plugins, core), join(folder, core));
  return folder;
}

/** Returns this process's environment without variables that would change the node's settings. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(RABBITMQ_|ERL_)/.test(name)));
}
