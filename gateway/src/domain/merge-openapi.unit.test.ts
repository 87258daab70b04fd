import { describe, expect, it } from 'vitest';
import { mergeOpenApi } from './merge-openapi.ts';

const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` });
const part = (service: string, schemas: Record<string, unknown>, paths: Record<string, object> = {}) => ({
  service,
  document: { paths, components: { schemas: schemas as Record<string, object> } },
});
const everything = () => true;

describe('merging documents', () => {
  it('shares what is the same, whatever the order of its keys', () => {
    const { components } = mergeOpenApi(
      [part('one', { Money: { type: 'object', title: 'a' } }), part('two', { Money: { title: 'a', type: 'object' } })],
      everything,
    );
    expect(Object.keys(components.schemas ?? {})).toEqual(['Money']);
  });

  it('renames what is not, with every reference to it', () => {
    const { components, paths } = mergeOpenApi(
      [
        part('one', { User: { title: 'of one' } }, { '/one': { get: ref('User') } }),
        part('two', { User: { title: 'of two' }, Box: { items: [ref('User')] } }, { '/two': { get: ref('User') } }),
      ],
      everything,
    );
    expect(components.schemas).toEqual({
      User: { title: 'of one' },
      TwoUser: { title: 'of two' },
      Box: { items: [ref('TwoUser')] },
    });
    expect(paths).toEqual({ '/one': { get: ref('User') }, '/two': { get: ref('TwoUser') } });
  });

  it('renames also what reads the same but refers to something else', () => {
    const { components } = mergeOpenApi(
      [
        part('one', { Inner: { title: '1' }, Outer: ref('Inner'), Outest: ref('Outer') }),
        part('two', { Inner: { title: '2' }, Outer: ref('Inner'), Outest: ref('Outer') }),
      ],
      everything,
    );
    expect(components.schemas).toEqual({
      Inner: { title: '1' },
      Outer: ref('Inner'),
      Outest: ref('Outer'),
      TwoInner: { title: '2' },
      TwoOuter: ref('TwoInner'),
      TwoOutest: ref('TwoOuter'),
    });
  });

  it('keeps one security scheme of a name, since operations name it without a reference', () => {
    const secured = (service: string) => ({
      service,
      document: { components: { securitySchemes: { bearer: { description: service } } } },
    });
    const { components } = mergeOpenApi([secured('one'), secured('two')], everything);
    expect(components.securitySchemes).toEqual({ bearer: { description: 'one' } });
  });

  it('leaves out paths that are not reached through the gateway, and keeps the first of two', () => {
    const { paths } = mergeOpenApi(
      [
        part('one', {}, { '/a': { get: 1 }, '/b': { get: 1 } }),
        part('two', {}, { '/a': { get: 2 }, '/c': { get: 2 } }),
      ],
      (path, service) => !(path === '/b' && service === 'one'),
    );
    expect(paths).toEqual({ '/a': { get: 1 }, '/c': { get: 2 } });
  });
});
