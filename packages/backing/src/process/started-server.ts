/** A server that this process started and that ends with it. */
export interface StartedServer {
  readonly url: string;
  readonly version: string;
  /** The current process; another one after `restart`. */
  readonly pid: number;
  /** Starts it again on the same port and data, whether it has ended or still runs. Throws a BackingError. */
  restart(): Promise<void>;
  close(): Promise<void>;
}
