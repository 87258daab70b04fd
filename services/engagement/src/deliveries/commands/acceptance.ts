import pLimit from 'p-limit';

/** The turn of one mail to get its end. To be passed through in this order; one that is marked already leaves out `toMark`. */
export interface AcceptanceTurn {
  /** Resolves when its end may be marked: while the mail before it is being saved, so that both are one command. */
  toMark(): Promise<void>;
  /** Resolves when it may get its end. */
  toEnd(): Promise<void>;
  /** The mail server has answered, or the conversation is over. */
  answered(): void;
  /** The attempt is saved, or there was none. */
  saved(): void;
}

// A mail that the server takes longer for is in doubt by itself, and holds up the others no more.
const answerWithinMs = 10_000;

/**
 * Limits how many mails the mail server may have accepted without that being saved: `maxUnsaved`. As many go out twice
 * where the process is killed.
 */
export function createAcceptance(maxUnsaved: number): () => AcceptanceTurn {
  const marked = pLimit(maxUnsaved);
  const ended = pLimit(maxUnsaved);

  return () => {
    const answer = Promise.withResolvers<void>();
    const save = Promise.withResolvers<void>();
    let timer: NodeJS.Timeout | undefined;
    const answered = () => {
      clearTimeout(timer);
      answer.resolve();
    };
    const saved = () => {
      answered();
      save.resolve();
    };
    return {
      toMark: () => place(marked, answer.promise),
      async toEnd() {
        await place(ended, save.promise);
        timer = setTimeout(saved, answerWithinMs).unref();
      },
      answered,
      saved,
    };
  };
}

/** Resolves once there is a place, which is given back when `left` resolves. */
function place(limit: ReturnType<typeof pLimit>, left: Promise<void>): Promise<void> {
  return new Promise((taken) => {
    void limit(() => {
      taken();
      return left;
    });
  });
}
