import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { readProof, type Proof } from '../report/proof.js';
import type { Matrix, MatrixRow, Subject } from '../proof/selftest/matrix.js';
import { complaint, proofOf } from '../proof/selftest/present.js';
import { runTrial } from '../proof/selftest/run-trial.js';
import { runTrials } from '../proof/selftest/run-trials.js';
import { trials, type Trial } from '../proof/selftest/subjects.js';
import { kitVersion } from '../base/kernel/package.js';
import { CAUSES } from './likely-causes.test.support.js';

/** Keeps only these subjects. */
const ofSubjects = ({ flaws, variants }: Proof, isChosen: (name: string) => boolean): object => ({
  flaws: flaws
    .filter(({ name }) => isChosen(name))
    .map(({ name, title, turns, caught }) => ({ name, title, turns, caught })),
  variants: variants.filter(({ name }) => isChosen(name)),
});

const nameIn = ({ subject }: Pick<MatrixRow, 'subject'>): string => `${subject.kind} ${subject.name}`;

/** True if a mistake did not show. */
const isHidden = ({ ok, wronged }: MatrixRow): boolean => wronged.length === 0 && !ok;

/** True if another trial may show more: in virtual time it is the same. */
const mayVary = ({ needs, isReal }: Trial): boolean => needs !== 'load' || isReal === true;

/** Returns the later trial of a server, unless it hid a mistake that the earlier one showed. */
const theBetter = (row: MatrixRow, later: MatrixRow | undefined): MatrixRow =>
  later === undefined || (row.ok && !later.ok && later.wronged.length === 0) ? row : later;

/**
 * Repeats the trials of servers whose mistake did not show. In real time a busy machine hides some, and
 * invents none: what is wrongly red is never tried again.
 *
 * @param onFinal takes each row that is not tried again
 */
async function untilShown(
  chosen: readonly Trial[],
  attempts: number,
  onFinal: (row: MatrixRow, trial: Trial) => void,
): Promise<Matrix> {
  const hidden = new Set<string>();
  const matrix = await runTrials(chosen, (row, trial) => {
    if (isHidden(row) && mayVary(trial) && attempts > 1) hidden.add(nameIn(trial));
    else onFinal(row, trial);
  });
  if (hidden.size === 0) return matrix;
  const again = await untilShown(
    chosen.filter((trial) => hidden.has(nameIn(trial))),
    attempts - 1,
    onFinal,
  );
  const rows = matrix.rows.map((row) =>
    theBetter(
      row,
      again.rows.find((other) => nameIn(other) === nameIn(row)),
    ),
  );
  const unproven = matrix.unproven.filter((id) => again.unproven.includes(id));
  return { rows, unproven, ok: unproven.length === 0 && rows.every(({ ok }) => ok) };
}

/** Returns the cause that a trial's report must name, null if it must name none; undefined: any. */
const causeOf = ({ needs, subject }: Trial): string | null | undefined => CAUSES[needs]?.[subject.name];

/**
 * Runs some trials of the self-test, each with a test of its own: each is judged as declared, reports name
 * the right cause or none, and config/proof.json is current for them.
 *
 * @param attempts trials of a server whose mistake does not show
 */
export async function expectProven(
  t: TestContext,
  isChosen: (trial: Trial) => boolean,
  attempts = 1,
): Promise<void> {
  const all = trials();
  const chosen = all.filter(isChosen);
  const toName = new Set(chosen.filter((trial) => causeOf(trial) !== undefined));
  const tests: Promise<void>[] = [];
  const matrix = await untilShown(chosen, attempts, (row, trial) => {
    const expected = causeOf(trial);
    toName.delete(trial);
    // A test each, so that the first wrong one is known as soon as it is judged.
    tests.push(
      t.test(`${nameIn(row)}, ${trial.needs}`, () => {
        assert.ok(row.ok, complaint(row));
        const cause = row.causes.join() || null;
        // In real time a busy machine may leave too little for a cause; `expectCauses` sees those named.
        if (expected !== undefined && !(trial.isReal === true && cause === null))
          assert.equal(cause, expected);
      }),
    );
  });
  await Promise.all(tests);
  assert.deepEqual([...toName].map(nameIn), []);
  assert.deepEqual(matrix.rows.filter(({ ok }) => !ok).map(complaint), []);
  const provenElsewhere = all.flatMap((trial) =>
    !isChosen(trial) && trial.subject.kind === 'flaw' ? trial.subject.turns : [],
  );
  assert.deepEqual(
    matrix.unproven.filter((id) => !provenElsewhere.includes(id)),
    [],
  );
  const carried = readProof();
  assert.ok(carried, 'config/proof.json is missing: npm run proof');
  assert.equal(carried.kit, kitVersion(), 'config/proof.json is stale: npm run proof');
  assert.deepEqual(
    [...carried.flaws, ...carried.variants].map(({ name }) => name),
    namesOf('flaw', all).concat(namesOf('variant', all)),
    'config/proof.json is stale: npm run proof',
  );
  const names = new Set(chosen.map(({ subject }) => subject.name));
  assert.deepEqual(
    ofSubjects(carried, (name) => names.has(name)),
    JSON.parse(JSON.stringify(ofSubjects(proofOf(matrix, kitVersion(), ''), () => true))),
    'config/proof.json is stale: npm run proof',
  );
}

/** Judges limiters whose trials run in real time once in virtual time: their reports name the right cause. */
export async function expectCauses(): Promise<void> {
  for (const trial of trials().filter(({ isReal, needs }) => isReal === true && needs === 'load')) {
    const expected = causeOf(trial);
    if (expected === undefined) continue;
    const { causes } = await runTrial({ ...trial, isReal: false });
    assert.equal(causes.join() || null, expected, trial.subject.name);
  }
}

const namesOf = (kind: Subject['kind'], all: readonly Trial[]): readonly string[] => [
  ...new Set(all.flatMap(({ subject }) => (subject.kind === kind ? [subject.name] : []))),
];
