import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { test } from 'node:test';
import { requirementIds } from '../base/interface/requirement-ids.js';
import { packageRoot } from '../base/kernel/package.js';

/** Rooms are the folders in `src`. */

const source = join(packageRoot(), 'src');
const ships = (file: string): boolean => !file.startsWith('testing/') && !/\.test\.(support\.)?tsx?$/.test(file);
const files = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));

const roomOf = (file: string): string => file.split('/', 1)[0] ?? '';

/** Returns the project's files that a file imports, types included, by paths below `src`. */
const importsOf = (file: string): readonly string[] =>
  [...readFileSync(join(source, file), 'utf8').matchAll(/(?:from|import\()\s*'(\.{1,2}\/[^']+)'/g)].map(
    ([, path = '']) => relative(source, resolve(source, dirname(file), path)).replace(/\.js$/, '.ts'),
  );

const shipped = files.filter(ships);
const between = new Map<string, Map<string, string>>();
for (const file of shipped)
  for (const imported of importsOf(file)) {
    const [from, to] = [roomOf(file), roomOf(imported)];
    if (from === to) continue;
    const doors = between.get(from) ?? new Map<string, string>();
    between.set(from, doors.set(to, `${file} imports ${imported}`));
  }

/** Returns the imports that lead from one room to another, directly or through others; undefined if there are none. */
function wayBetween(from: string, to: string): readonly string[] | undefined {
  const ways = new Map<string, readonly string[]>([[from, []]]);
  for (const [room, way] of ways)
    for (const [next, door] of between.get(room) ?? []) {
      if (next === to) return [...way, door];
      if (!ways.has(next)) ways.set(next, [...way, door]);
    }
  return undefined;
}

test('imports between the folders of src have no cycle', () => {
  assert.ok(between.size > 15, 'the rooms are looked at');
  for (const room of between.keys()) assert.equal(wayBetween(room, room), undefined);
});

const ROW = /^judge\/limits\/(?:rate|ban)-[a-z0-9-]+\.ts$/;
const isOfRow = (file: string): boolean =>
  ROW.test(file) && requirementIds.some((id) => file === `judge/limits/${id}.ts`);

test('no judge of a row of limits imports the judge of another row', () => {
  const judges = shipped.filter(isOfRow);
  assert.ok(judges.length > 15, 'the judges are looked at');
  for (const judge of judges) assert.deepEqual(importsOf(judge).filter(isOfRow), [], judge);
});

test('shipped files import only shipped files', () => {
  for (const file of shipped)
    for (const imported of importsOf(file)) assert.ok(ships(imported), `${file} imports ${imported}`);
});
