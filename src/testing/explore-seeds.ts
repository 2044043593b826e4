import { runTrials } from '../proof/selftest/run-trials.js';
import { exploreTrials } from '../proof/selftest/subjects.js';

/**
 * Runs exploring with several seeds: `node dist/src/testing/explore-seeds.js FROM TO [NAME]`. Prints each
 * rare flaw that some seed missed, with the number of seeds that charged it exactly. Prints every wrong
 * charge of any server. Takes about two minutes a seed.
 */
const [from = '1', to = '10', name = ''] = process.argv.slice(2);
const seeds = Array.from({ length: Number(to) - Number(from) + 1 }, (_, at) => Number(from) + at);

const say = (text: string): void => void process.stdout.write(`${text}\n`);

const caught = new Map<string, number>();
let wrong = 0;
let judged = 0;
for (const seed of seeds) {
  const trials = exploreTrials(seed).filter(({ subject }) => subject.name.includes(name));
  const { rows } = await runTrials(trials);
  for (const { subject, missed, wronged } of rows) {
    judged += 1;
    if (wronged.length > 0) {
      wrong += 1;
      say(`✗ seed ${seed}: ${subject.kind} ${subject.name} charged with ${wronged.join(', ')}`);
    }
    if (subject.kind === 'flaw')
      caught.set(
        subject.name,
        (caught.get(subject.name) ?? 0) + (missed.length + wronged.length === 0 ? 1 : 0),
      );
  }
}
/** Share of seeds that must catch a rare flaw, as promised. */
const ENOUGH = 0.9;
const least = ENOUGH * seeds.length;
const seldom = [...caught].filter(([, times]) => times < least);
for (const [flaw, times] of [...caught].filter(([, count]) => count < seeds.length))
  say(`${times < least ? '✗' : ' '} ${times} of ${seeds.length} seeds: ${flaw}`);
say(
  `${caught.size - seldom.length} of ${caught.size} rare flaws with nine of ten seeds; ${wrong} of ${judged} runs charged wrongly`,
);
process.exitCode = wrong + seldom.length > 0 ? 1 : 0;
