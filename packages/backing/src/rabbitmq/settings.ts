import { mkdir, readdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RabbitmqPrograms } from './find.ts';

export interface RabbitmqPorts {
  amqp: number;
  /** Erlang's own protocol between nodes and tools. */
  distribution: number;
  /** The port mapper through which those find it. */
  epmd: number;
  management: number;
}

/**
 * Writes what a private node needs into its folder and answers its environment. Everything has a place of its own, so that
 * neither the machine's RabbitMQ nor its settings, cookie or port mapper are touched.
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
  const noAdvancedConfig = join(folder, 'advanced.config');
  await mkdir(home, { recursive: true });
  const lines = [
    `listeners.tcp.1 = 127.0.0.1:${ports.amqp}`,
    'log.file = false',
    'log.console = true',
    'log.console.level = info',
    // A laptop with little free space is no reason to stop every publisher; the default threshold stays for memory.
    'disk_free_limit.absolute = 50MB',
    ...(management ? ['management.tcp.ip = 127.0.0.1', `management.tcp.port = ${ports.management}`] : []),
  ];
  await writeFile(config, `${lines.join('\n')}\n`);
  await writeFile(plugins, management ? '[rabbitmq_management].\n' : '[].\n');
  await writeFile(noVariables, '');
  await writeFile(noAdvancedConfig, '[].\n');
  const coreAlone = management ? undefined : await linkCore(server, join(folder, 'plugins'));
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
    RABBITMQ_ADVANCED_CONFIG_FILE: noAdvancedConfig,
    RABBITMQ_CONF_ENV_FILE: noVariables,
    RABBITMQ_ENABLED_PLUGINS_FILE: plugins,
    ...(coreAlone !== undefined && { RABBITMQ_PLUGINS_DIR: coreAlone }),
    RABBITMQ_PID_FILE: join(folder, 'pid'),
    // The script then becomes the server instead of standing before it, so that the process is the server's own.
    RABBITMQ_ALLOW_INPUT: 'true',
    // The distribution listens on loopback too; the rest is for a node that shares its machine.
    RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS: '-noinput -kernel inet_dist_use_interface {127,0,0,1} +S 2:2',
  };
}

/**
 * A folder of plugins with nothing in it but the broker itself, which lies among them: a node without plugins that looks
 * through all forty takes a quarter longer to start. Undefined where this RabbitMQ is laid out in another way.
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

/** The caller's environment without what would reach into the node's settings. */
function inherited(): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !/^(RABBITMQ_|ERL_)/.test(name)));
}
