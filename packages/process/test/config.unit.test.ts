import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { ConfigError, configTypes, defineService, loadConfig } from '../src/index.ts';

describe('a configuration', () => {
  const schema = z.object({
    PORT: configTypes.port.default(0),
    API_SECRET: configTypes.secret,
    MONGODB_URL: configTypes.mongodbUrl,
  });
  const variables = { API_SECRET: 'k'.repeat(32), MONGODB_URL: 'mongodb://127.0.0.1:27017/identity', PORT: '' };

  it('names every wrong variable at once', () => {
    const wrong = { PORT: 'x', API_SECRET: 'change-me-change-me-change-me-change-me' };
    expect(() => loadConfig(schema, wrong)).toThrow(ConfigError);
    expect(() => loadConfig(schema, wrong)).toThrow(
      /PORT: .*\n {2}API_SECRET: .*example value.*\n {2}MONGODB_URL: is required/,
    );
  });

  it('is read with its defaults', () => {
    expect(loadConfig(schema, variables)).toEqual({ ...variables, PORT: 0 });
  });

  it('is checked before a service starts by it', async () => {
    const started: unknown[] = [];
    const service = defineService({
      name: 'kit',
      config: schema,
      async start(config, overrides) {
        started.push(config, overrides);
        return { url: 'http://127.0.0.1:1', close: () => Promise.resolve() };
      },
    });
    await expect(service.startWith({ PORT: '1' })).rejects.toThrow(ConfigError);
    expect(started).toEqual([]);
    const now = () => new Date(0);
    await service.startWith({ ...variables, PORT: '1' }, { now });
    expect(started).toEqual([{ ...variables, PORT: 1 }, { now }]);
  });
});
