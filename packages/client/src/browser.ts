interface Locks {
  request<Result>(
    name: string,
    options: { readonly signal: AbortSignal },
    work: () => Promise<Result>,
  ): Promise<Result>;
}

interface Channel extends EventTarget {
  postMessage(message: unknown): void;
  close(): void;
  /** In Node: does not keep the process alive. */
  unref?(): void;
}

/**
 * What the client uses of browsers, stated here so that its code has types with and without those of the DOM. In Node and
 * workers some of it is missing.
 */
interface Browser {
  readonly document?: EventTarget & { readonly hidden: boolean };
  readonly navigator?: { readonly locks?: Locks };
  /** Reading it may throw, where a page may store nothing. */
  readonly localStorage?: {
    getItem(key: string): string | null;
    setItem(key: string, value: string): void;
    removeItem(key: string): void;
  };
  readonly BroadcastChannel?: new (name: string) => Channel;
  addEventListener?(type: 'storage', listener: (event: { readonly key: string | null }) => void): void;
}

export const browser = globalThis as unknown as Browser;
