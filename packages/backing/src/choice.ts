export interface BackingOptions {
  /**
   * If MONGODB_URL, AMQP_URL (with RABBITMQ_MANAGEMENT_URL) or SMTP_URL is set, that server is used and none is
   * started.
   */
  env: NodeJS.ProcessEnv;
  /** Holds the data of started servers in `mongodb` and `rabbitmq`. The mailbox keeps mails in memory. */
  dataDir: string;
  /** Allows only this kind of broker. The default is RabbitMQ if it can be had, else the in-process bus. */
  bus?: 'in-process' | 'rabbitmq';
  /** The port of the mailbox's page; 0, the default, chooses a free one. */
  mailboxPort?: number;
  /** Receives progress for people, one line at a time: what was chosen and how to choose something else. */
  say: (line: string) => void;
  /**
   * Called once every server that must be started has its process and none is ready yet: work done now, such as loading
   * code, costs no extra time.
   */
  onSpawned?: () => void;
  /** Called when a started server ends by itself. */
  onExit?: (name: 'mongodb' | 'rabbitmq', detail: string) => void;
  /** Also serves RabbitMQ's management API. */
  rabbitmqManagement?: boolean;
}

/** A chosen service, and how to stop it if it was started here. */
export interface Chosen<Service> {
  service: Service;
  close(): Promise<void>;
}
