import { faultsOf, mayTurn, type Flaw } from '../../proof/index.js';
import type { Results } from '../../outcome/results/results.js';
import { walk } from '../walking.js';
import { foundOr, type Held, type Judged } from './hunt.js';
import { flawsOf, membersOf, variantsOf, type Server } from './servers.js';

type Rows = Results['requirements'];

/**
 * Pairs of limiter flaws that no record decides, so that they leave a row open. A Retry-After of 1000 may be
 * seconds, where the wait is as short as a bucket's refill. A handful of requests that cost two each, and
 * come back, may be another client's.
 */
const LEFT_OPEN_TOGETHER: readonly (readonly [string, string])[] = [
  ['bucket-refills-at-four-fifths', 'retry-after-in-milliseconds'],
  ['allowance-on-top-of-a-rate', 'retry-after-in-milliseconds'],
  ['retry-after-in-milliseconds', 'retry-after-half'],
  ['counts-double', 'leaky-bucket-checks-before-it-counts'],
  // Limit speaks of the day, and no window of a minute ends: every refusal may be the day's.
  ['limit-of-the-day', 'window-of-an-hour'],
];

/** True if a pair is one of those, and a row is open. */
const isLeftOpenTogether = (flaws: readonly Flaw[], rows: Rows): boolean =>
  LEFT_OPEN_TOGETHER.some((pair) => pair.every((name) => flaws.some((flaw) => flaw.name === name))) &&
  rows.some(({ outcome }) => outcome === 'inconclusive');

const RED: ReadonlySet<string> = new Set(['failed', 'warned', 'error']);

/** True if a passed row names a part that was not tested. */
const isPartly = (row: Rows[number]): boolean =>
  'partly' in row && Array.isArray(row.partly) && row.partly.length > 0;

const idsOf = (rows: readonly Rows[number][]): string =>
  rows.map(({ id, outcome }) => `${id} ${outcome}`).join(', ');

/**
 * Returns the rows of a flaw that passed without naming an untested part. A row counts only if no row of its
 * family turned red, and none says what it could not test.
 */
function passedOver(flaw: Flaw, all: Rows): Rows {
  return faultsOf(flaw).flatMap((ids) => {
    const rows = all.filter(({ id }) => ids.includes(id));
    const isSaid = rows.some(
      (row) => RED.has(row.outcome) || row.outcome === 'inconclusive' || isPartly(row),
    );
    return isSaid ? [] : rows.filter(({ outcome }) => outcome === 'passed');
  });
}

/**
 * Returns a server's responses to the walk, line by line; empty lines stand for requests outside the
 * interface.
 */
async function transcriptOf(server: Server): Promise<readonly string[]> {
  const lines: string[] = [];
  const asOf = membersOf(server).find((member) => member.asOf !== undefined)?.asOf;
  await walk(server, asOf, (line) => lines.push(line.startsWith('{"beside":') ? '' : line) > 0);
  return lines;
}

/**
 * True if a server responds to the walk as it would without its flaws: two cancel out, or a variant hides
 * one.
 */
async function isUndone(server: Server): Promise<boolean> {
  // A flaw may set the size of the store; the comparison needs the same store.
  const animals = membersOf(server).findLast(({ options }) => options.animals !== undefined)?.options.animals;
  const without = { ...server, flaws: [], ...(animals !== undefined && { animals }) };
  const [broken, sound] = [await transcriptOf(server), await transcriptOf(without)];
  return broken.every((line, at) => line === sound[at]);
}

/**
 * Compares results with the declarations of a server's members.
 *
 * - A correct server has no red row.
 * - A single flaw turns a row of each of its families red and none outside, or they name what they could not
 *   test.
 * - A flaw with a variant turns a row red, or its rows name what they could not test.
 * - Two flaws turn at least one row red, whichever, or are a pair that leaves one open (`LEFT_OPEN_TOGETHER`).
 */
export async function heldAgainst(
  server: Server,
  { requirements: rows }: Pick<Results, 'requirements'>,
): Promise<Judged> {
  const flaws = flawsOf(server);
  const warned = new Set(variantsOf(server).flatMap(({ warns }) => warns));
  const red = rows.filter(({ id, outcome }) => RED.has(outcome) && (outcome === 'error' || !warned.has(id)));
  const more = red.filter(
    ({ id, outcome }) => outcome === 'error' || !flaws.some((flaw) => mayTurn(flaw).has(id)),
  );
  const isExact = flaws.length === 0 || membersOf(server).length === 1;
  const silent = flaws.map((flaw) => [flaw, passedOver(flaw, rows)] as const);
  const isSaid = silent.every(([, over]) => over.length === 0);
  const isMissed = isExact
    ? !isSaid
    : red.length === 0 && (flaws.length > 1 || !isSaid) && !isLeftOpenTogether(flaws, rows);
  const isHidden = isMissed && !isExact && (await isUndone(server));
  const wronged = isExact ? more : red.filter(({ outcome }) => outcome === 'error');
  const what = [
    ...(wronged.length > 0 ? [`wrongly red: ${idsOf(wronged)}`] : []),
    ...(isMissed && !isHidden
      ? silent.map(([{ name }, over]) => `${name} missed: ${idsOf(over) || 'no red row'}`)
      : []),
  ];
  return foundOr(what, isHidden ? 'hidden' : asOf(flaws, rows, more.length > 0));
}

function asOf(flaws: readonly Flaw[], rows: Rows, hasMore: boolean): Held {
  if (flaws.length === 0) return 'let pass';
  if (hasMore) return 'caught with more';
  const red = new Set(rows.filter(({ outcome }) => RED.has(outcome)).map(({ id }) => id));
  const isCaught = flaws.flatMap(faultsOf).every((ids) => ids.some((id) => red.has(id)));
  return isCaught ? 'caught' : 'left open';
}
