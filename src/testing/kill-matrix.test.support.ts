import assert from 'node:assert/strict';
import { readProof, type Proof } from '../report/proof.js';
import type { Matrix, MatrixRow, Subject } from '../proof/selftest/matrix.js';
import { complaint, proofOf } from '../proof/selftest/present.js';
import { runTrials } from '../proof/selftest/run-trials.js';
import { trials, type Trial } from '../proof/selftest/subjects.js';
import { kitVersion } from '../base/kernel/package.js';

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

/** Returns the later trial of a server, unless it hid a mistake that the earlier one showed. */
const theBetter = (row: MatrixRow, later: MatrixRow | undefined): MatrixRow =>
  later === undefined || (row.ok && !later.ok && later.wronged.length === 0) ? row : later;

/**
 * Repeats the trials of servers whose mistake did not show. In real time a busy machine hides some, and
 * invents none: what is wrongly red is never tried again.
 */
async function untilShown(chosen: readonly Trial[], attempts: number): Promise<Matrix> {
  const matrix = await runTrials(chosen);
  const hidden = new Set(matrix.rows.filter(isHidden).map(nameIn));
  if (hidden.size === 0 || attempts <= 1) return matrix;
  const again = await untilShown(
    chosen.filter((trial) => hidden.has(nameIn(trial))),
    attempts - 1,
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

/**
 * Runs some trials of the self-test: each is judged as declared, and config/proof.json is current for them.
 *
 * @param attempts trials of a server whose mistake does not show
 */
export async function expectProven(isChosen: (trial: Trial) => boolean, attempts = 1): Promise<void> {
  const all = trials();
  const chosen = all.filter(isChosen);
  const matrix = await untilShown(chosen, attempts);
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

const namesOf = (kind: Subject['kind'], all: readonly Trial[]): readonly string[] => [
  ...new Set(all.flatMap(({ subject }) => (subject.kind === kind ? [subject.name] : []))),
];
