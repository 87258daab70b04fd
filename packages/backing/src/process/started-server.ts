/** A server that this process started. It ends when this process ends. */
export interface StartedServer {
  readonly url: string;
  readonly version: string;
  /** The id of the current process. It changes with `restart`. */
  readonly pid: number;
  /**
   * Restarts the server on the same port and data, even if it has ended. Throws a BackingError if it does not start.
   */
  restart(): Promise<void>;
  close(): Promise<void>;
}
