export interface BackingOptions {
  /** Read for MONGODB_URL, AMQP_URL (RABBITMQ_MANAGEMENT_URL) and SMTP_URL: what is set is used and nothing started for it. */
  env: NodeJS.ProcessEnv;
  /** Under it lies the data of what is started, in `mongodb` and `rabbitmq`; the mailbox keeps mails in memory. */
  dataDir: string;
  /** Insist on a broker; without it RabbitMQ where there is one, else the in-process bus. */
  bus?: 'in-process' | 'rabbitmq';
  /** The port of the mailbox's page; 0, the default: any free one. */
  mailboxPort?: number;
  /** Takes progress in plain words, a line at a time: what was chosen and how to choose something else. */
  say: (line: string) => void;
  /** The servers that it starts are starting by now, or there is none: a good moment for whatever else takes time. */
  onWaiting?: () => void;
  /** A started process ended though nobody asked it to. */
  onExit?: (name: 'mongodb' | 'rabbitmq', detail: string) => void;
  /** Also serve RabbitMQ's management API. */
  rabbitmqManagement?: boolean;
}

/** A service that was chosen, and how to stop it. */
export interface Chosen<Service> {
  service: Service;
  close(): Promise<void>;
}
