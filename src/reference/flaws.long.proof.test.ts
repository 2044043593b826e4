import assert from 'node:assert/strict';
import { test } from 'node:test';
import { flaws, type Flaw } from './index.js';
import { walk } from '../testing/walking.js';

const transcripts = new Map<string, Promise<readonly string[]>>();

/** Returns the responses of the correct server under a flaw's options. */
function soundTranscript({ options, asOf }: Flaw): Promise<readonly string[]> {
  const { animals } = options;
  const name = `${animals} ${asOf}`;
  const known = transcripts.get(name);
  if (known !== undefined) return known;
  const lines: string[] = [];
  const made = walk(animals === undefined ? {} : { animals }, asOf, (line) => lines.push(line) > 0).then(() => lines);
  transcripts.set(name, made);
  return made;
}

/** Parallel walks: each mostly waits for its responses. */
const SIDE_BY_SIDE = 4;

test('every flaw changes a response', { concurrency: SIDE_BY_SIDE }, async (t) => {
  await Promise.all(
    flaws.map((flaw) =>
      t.test(flaw.name, async () => {
        const sound = await soundTranscript(flaw);
        let differs = false;
        await walk({ flaws: [flaw.name] }, flaw.asOf, (line, step) => {
          differs = line !== sound[step];
          return !differs;
        });
        assert.ok(differs, flaw.title);
      }),
    ),
  );
});
