import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { exploring } from './support/exploring.js';
import { reference } from './support/targets.js';

test('a finding of exploring is a story, and --replay reproduces it with few requests', async (t) => {
  const flawed = await reference(t, { flaws: ['category-array-taken'] });
  const first = await exploring(t, flawed, ['--profile', 'explore', '--explore', '400', '--seed', '7']);
  assert.equal(first.ended.code, 1, first.ended.stdout + first.ended.stderr);
  const [story] = first.explored.stories;
  assert.ok(story);
  for (const { requirement, steps } of first.explored.stories)
    assert.deepEqual([requirement, steps.length], ['create-invalid-value', 1]);
  assert.match(
    first.ended.stdout.replaceAll(/\s+/g, ' '),
    new RegExp(`replay with --replay ${story.replay}`),
  );
  const page = readFileSync(join(first.cwd, 'run/index.html'), 'utf8');
  for (const words of ['Found by exploring', `--replay ${story.replay}`, 'Tested classes', 'curl -sSi'])
    assert.ok(page.includes(words), words);

  const again = await exploring(t, flawed, ['--replay', story.replay]);
  assert.equal(again.ended.code, 1, again.ended.stdout);
  assert.deepEqual(
    again.explored.stories.map(({ steps }) => steps),
    [story.steps],
  );
  assert.ok(again.seen.length < 12, `${again.seen.length} requests`);
  assert.match(again.ended.stdout.replaceAll(/\s+/g, ' '), /only the story \S+ was replayed/);

  const mended = await exploring(t, await reference(t), ['--replay', story.replay]);
  assert.equal(mended.ended.code, 0, mended.ended.stdout);
  assert.deepEqual(mended.explored.stories, []);
});

test('the fetch of an animal from before the run, and several stories at once, are replayed by name', async (t) => {
  for (const [flaw, id] of [
    ['one-old-animal-in-the-middle-falls-over', 25],
    ['one-old-animal-is-unknown', 15],
  ] as const) {
    const flawed = await reference(t, { flaws: [flaw] });
    const { ended, explored } = await exploring(t, flawed, ['--replay', `7:12,pets/${id}`]);
    assert.equal(ended.code, 1, ended.stdout + ended.stderr);
    assert.deepEqual(
      explored.stories.map(({ requirement, replay }) => [requirement, replay]),
      [['get-ok', `7:pets/${id}`]],
    );
  }
});
