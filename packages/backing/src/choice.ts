export interface BackingOptions {
  /**
   * The environment. If MONGODB_URL, AMQP_URL (with RABBITMQ_MANAGEMENT_URL) or SMTP_URL is set, that server is used
   * and no server of this kind is started.
   */
  env: NodeJS.ProcessEnv;
  /** The folder for the data of started servers, in `mongodb`, `rabbitmq` and `mailbox`. */
  dataDir: string;
  /** Allows only this kind of broker. The default is RabbitMQ if it is available, otherwise the in-process bus. */
  bus?: 'in-process' | 'rabbitmq';
  /** The port of the mailbox's page; 0 chooses a free one. The default is that of the last start. */
  mailboxPort?: number;
  /** Called with each line of progress for people: what was chosen, and how to choose something else. */
  say: (line: string) => void;
  /**
   * Called once the processes of all servers to be started run, while none is ready yet. Work done now, such as loading
   * code, costs no extra time.
   */
  onSpawned?: () => void;
  /** Called when a started server ends without being stopped. */
  onExit?: (name: 'mongodb' | 'rabbitmq', detail: string) => void;
  /** Whether to serve RabbitMQ's management API too. */
  rabbitmqManagement?: boolean;
}

/** A chosen service, and a function that stops it if it was started here. */
export interface Chosen<Service> {
  service: Service;
  close(): Promise<void>;
}
