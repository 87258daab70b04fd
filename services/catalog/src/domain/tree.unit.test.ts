import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { TreePlace } from './category.ts';
import { maxLevels, nest, placeBelow, placesAfterMove } from './tree.ts';

type Node = TreePlace & { id: string; isActive: boolean };

/** Moves as the command does: loads, decides, saves the category and all below it. */
function move(tree: Map<string, Node>, id: string, parentId: string | null, isActive: boolean): void {
  const node = tree.get(id);
  if (!node) throw new Error('no such node');
  const descendants = [...tree.values()].filter(({ path }) => path.includes(id));
  const moved = placesAfterMove(node, descendants, parentId === null ? null : (tree.get(parentId) ?? null), isActive);
  tree.set(id, { ...node, isActive, ...moved.place });
  for (const each of descendants) tree.set(each.id, { ...each, ...moved.descendants.get(each.id) });
}

/** The code of the refusal, if it was refused. */
function attempt(work: () => void): string | undefined {
  try {
    work();
    return undefined;
  } catch (error) {
    return (error as { code?: string }).code ?? String(error);
  }
}

describe('moving categories', () => {
  it('never makes a cycle, and keeps every path true, whatever is moved where', () => {
    const ids = ['a', 'b', 'c', 'd', 'e', 'f'];
    const step = fc.record({
      id: fc.constantFrom(...ids),
      parentId: fc.constantFrom(null, ...ids),
      isActive: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        const tree = new Map(ids.map((id): [string, Node] => [id, { id, isActive: true, ...placeBelow(null, true) }]));
        for (const { id, parentId, isActive } of steps) {
          const refused = attempt(() => move(tree, id, parentId, isActive));
          expect([undefined, 'category_cycle']).toContain(refused);
        }
        for (const node of tree.values()) {
          const ancestors: string[] = [];
          let { isActive: visible } = node;
          for (let parent = node.parentId; parent !== null; parent = tree.get(parent)?.parentId ?? null) {
            ancestors.unshift(parent);
            visible &&= tree.get(parent)?.isActive ?? false;
            if (ancestors.length > ids.length) throw new Error(`a cycle at ${node.id}`);
          }
          expect(node).toMatchObject({ path: ancestors, visible });
        }
      }),
    );
  });

  it('refuses a category below itself', () => {
    const tree = new Map([['a', { id: 'a', isActive: true, ...placeBelow(null, true) }]]);
    expect(() => move(tree, 'a', 'a', true)).toThrow('neither in itself');
  });

  it('refuses what would make the tree too deep, for what is below as well', () => {
    const tree = new Map<string, Node>();
    let parent: Node | null = null;
    for (let level = 1; level <= maxLevels; level += 1) {
      const node: Node = { id: `level-${level}`, isActive: true, ...placeBelow(parent, true) };
      tree.set(node.id, node);
      parent = node;
    }
    tree.set('other', { id: 'other', isActive: true, ...placeBelow(null, true) });
    expect(() => placeBelow(parent, true)).toThrow(`${maxLevels} levels`);
    expect(() => move(tree, 'level-1', 'other', true)).toThrow(`${maxLevels} levels`);
    expect(() => move(tree, `level-${maxLevels}`, 'other', true)).not.toThrow();
  });
});

describe('nesting', () => {
  it('keeps the order, and leaves out what has no parent among the items', () => {
    const items = [
      { id: 'b', parentId: null },
      { id: 'b2', parentId: 'b' },
      { id: 'a', parentId: null },
      { id: 'b1', parentId: 'b' },
      { id: 'x', parentId: 'gone' },
    ];
    const [b, a] = nest(items);
    expect([b?.id, a?.id]).toEqual(['b', 'a']);
    expect(b?.children).toMatchObject([{ id: 'b2' }, { id: 'b1' }]);
  });
});
