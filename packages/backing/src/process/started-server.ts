/** A server that was started here and ends with this process. */
export interface StartedServer {
  readonly url: string;
  readonly version: string;
  /** The process at the moment; another one after `restart`. */
  readonly pid: number;
  /** Starts it again on the same port and data, whether it died or still runs. Throws a BackingError. */
  restart(): Promise<void>;
  close(): Promise<void>;
}
