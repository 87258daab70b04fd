import mongoose from 'mongoose';

// The driver itself gives up sooner: each of its two tries takes at most 3 s to find a server and 10 s of silence.
const limitMs = 30_000;

/**
 * Returns the same database or collection with a time limit of 30 s for each of its commands, including those of its
 * collections and cursors. After 30 s a command fails with an error for which `isDatabaseAway` is true, so that a fault
 * of the driver makes nobody wait forever.
 */
export function limitCommands<Of extends mongoose.mongo.Db | mongoose.mongo.Collection<any>>(of: Of): Of {
  const methods = new Map<PropertyKey, unknown>();
  return new Proxy(of, {
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
 * Waits for `answer`, at most `ms` milliseconds (30 s by default). Then throws an error for which `isDatabaseAway` is
 * true.
 */
export function withinTimeLimit<Answer>(answer: Promise<Answer>, ms = limitMs): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const fail = () => reject(new mongoose.mongo.MongoOperationTimeoutError(`no answer within ${ms} ms`));
    const timer = setTimeout(fail, ms).unref();
    answer.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}

function limit(answer: unknown): unknown {
  if (answer instanceof Promise) return withinTimeLimit(answer);
  if (answer instanceof mongoose.mongo.Collection) return limitCommands(answer);
  // The methods that build a cursor return the cursor itself, so its own methods are replaced.
  if (answer instanceof mongoose.mongo.AbstractCursor) limitCursor(answer);
  return answer;
}

function limitCursor(cursor: mongoose.mongo.AbstractCursor): void {
  for (const name of ['next', 'hasNext', 'tryNext', 'close'] as const) {
    const method = cursor[name] as (...input: unknown[]) => Promise<unknown>;
    Object.assign(cursor, { [name]: (...input: unknown[]) => withinTimeLimit(method.apply(cursor, input)) });
  }
}
