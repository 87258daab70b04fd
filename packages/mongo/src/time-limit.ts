import mongoose from 'mongoose';

// The driver itself ends sooner: each of its two tries takes 3 s to find a server and 10 s of silence at most.
const limitMs = 30_000;

/**
 * Sends the commands of the collection with a time limit of 30 s each, those of its cursors included. After that they
 * fail with an error for which `isDatabaseAway` is true. A command that is written while its connection is being closed
 * without an error waits in the driver for a socket that never drains; without the limit its caller would wait for
 * ever.
 */
export function limitCommands<Document extends mongoose.mongo.Document>(
  collection: mongoose.mongo.Collection<Document>,
): mongoose.mongo.Collection<Document> {
  const methods = new Map<PropertyKey, unknown>();
  return new Proxy(collection, {
    get(target, property) {
      const known = methods.get(property);
      if (known !== undefined) return known;
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function' || property === 'constructor') return value;
      const method = (...input: unknown[]) => limit(value.apply(target, input));
      methods.set(property, method);
      return method;
    },
  });
}

/**
 * Limits the commands that end a transaction: 30 s for the commit, and 30 s for the abort that follows a lost commit.
 */
export function limitSession(session: mongoose.mongo.ClientSession): void {
  limitMethods(session, ['commitTransaction', 'abortTransaction']);
}

function limit(answer: unknown): unknown {
  if (answer instanceof Promise) return withinTimeLimit(answer);
  // The methods that build a cursor return the cursor itself, so its own methods are replaced.
  if (answer instanceof mongoose.mongo.AbstractCursor) limitMethods(answer, ['next', 'hasNext', 'tryNext', 'close']);
  return answer;
}

function limitMethods<Name extends string>(
  object: { readonly [Each in Name]: (...input: never[]) => Promise<unknown> },
  names: readonly Name[],
): void {
  for (const name of names) {
    const method = object[name] as (...input: unknown[]) => Promise<unknown>;
    Object.assign(object, { [name]: (...input: unknown[]) => withinTimeLimit(method.apply(object, input)) });
  }
}

/** Waits for one command, for 30 s at most. */
export function withinTimeLimit<Answer>(command: Promise<Answer>): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new mongoose.mongo.MongoOperationTimeoutError(`no answer within ${limitMs} ms`));
    const timer = setTimeout(fail, limitMs).unref();
    command.then(
      (answer) => {
        clearTimeout(timer);
        resolve(answer);
      },
      (error: Error) => {
        clearTimeout(timer);
        reject(error);
      },
    );
  });
}
