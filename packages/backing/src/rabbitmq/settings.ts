import { mkdir, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RabbitmqPrograms } from './find.ts';

export interface RabbitmqPorts {
  amqp: number;
  /** Erlang's protocol between nodes and tools. */
  distribution: number;
  /** Erlang's port mapper, through which nodes and tools find the distribution port. */
  epmd: number;
  management: number;
}

/**
 * Writes the files of a private node into its folder and returns its environment variables. The node shares nothing
 * with the RabbitMQ of the machine: no settings, cookie, data or port mapper.
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
  // What a delay queue hands over while the node comes up may go astray; by default it is handed over again after 180 s.
  const advancedConfig = join(folder, 'advanced.config');
  await mkdir(home, { recursive: true });
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${ports.amqp}`,
    'log.file = false',
    'log.console = true',
    'log.console.level = info',
    // The default would stop all publishers on a machine with little free disk space.
    'disk_free_limit.absolute = 50MB',
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
    RABBITMQ_MNESIA_BASE: join(folder, 'db'),
    RABBITMQ_LOG_BASE: join(folder, 'log'),
    RABBITMQ_CONFIG_FILE: config,
    RABBITMQ_ADVANCED_CONFIG_FILE: advancedConfig,
    RABBITMQ_CONF_ENV_FILE: noVariables,
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
    ...(corePlugins !== undefined && { RABBITMQ_PLUGINS_DIR: corePlugins }),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    // Makes the script replace itself with the server, so that the pid is the server's.
    RABBITMQ_ALLOW_INPUT: 'true',
    // Distribution listens on loopback only, and the node uses two schedulers.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-noinput -kernel inet_dist_use_interface {127,0,0,1} +S 2:2',
  };
}

/**
 * Makes a plugins folder that contains only the broker's core, which RabbitMQ installs as a plugin: a node that reads
 * all forty plugins takes a quarter longer to start. Undefined if the core is not found where it usually is.
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

/** This process's environment without variables that would change the node's settings. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(RABBITMQ_|ERL_)/.test(name)));
}
