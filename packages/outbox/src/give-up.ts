import mongoose from 'mongoose';

// The driver itself gives up sooner: each of its two tries takes 3 s to find a server and 10 s of silence at most.
const giveUpMs = 30_000;

/**
 * What the driver answers, or an error that says that the database is away. A command that is written while its connection
 * is being closed without an error waits in the driver for a socket that never drains: nothing else would end that, and
 * whoever waits for the command waited for ever.
 */
export async function orGiveUp<Answer>(asked: Promise<Answer>): Promise<Answer> {
  let timer: NodeJS.Timeout | undefined;
  const givenUp = new Promise<never>((_resolve, reject) => {
    const say = () => reject(new mongoose.mongo.MongoOperationTimeoutError(`no answer within ${giveUpMs} ms`));
    timer = setTimeout(say, giveUpMs).unref();
  });
  try {
    return await Promise.race([asked, givenUp]);
  } finally {
    clearTimeout(timer);
  }
}
