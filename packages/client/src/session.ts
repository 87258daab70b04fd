import type { SessionStore, Tokens } from './session-store.ts';

export type { SessionStore, Tokens };

/** Keeps the tokens until the page or the process ends. */
export function memorySession(tokens?: Tokens): SessionStore {
  let held = tokens;
  return {
    read: () => held,
    write: (next) => {
      held = next;
    },
  };
}
