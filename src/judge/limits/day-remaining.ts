import { unestablished, type Judged } from '../findings/finding.js';
import { figuresOfDay, type Figures } from './bounds.js';
import { loneRefusals, promiseBroken } from './left-at-refusal.js';
import { isTooFast, isTooSlow, worstOf, type Movement } from './movements.js';
import { MAY_BE_OTHERS, miscounted, miscountIn, movesOver } from './remaining-moves.js';
import { isSameWindow, stillGoesOn } from './reset-edges.js';
import { describesDay, wasServed } from './sample.js';
import { daySamplesOf } from './key-samples.js';
import { subject, type KeySeries } from './series.js';

/** Nothing comes back together: a day that refills does so evenly. */
const EVENLY = { size: 0, isSooner: false, sudden: 0 };

/** Shortest time in which a Reset that moves with each request moves clearly, in whole seconds, ms. */
const MOVES_MS = 3000;

/**
 * Is true if no request from before the run came back: Reset stood still, and lay ahead. A log's Reset moves
 * with its newest request, or comes near when its oldest one leaves.
 */
const isStill = ({ from, to, elapsedMs }: Movement, figures: Figures): boolean =>
  elapsedMs >= MOVES_MS && isSameWindow(from, to, figures) && stillGoesOn(from, to);

/**
 * Judges Remaining of the day, while requests go one by one and the headers describe the day. It falls by one
 * a request, apart from refills, and no request gets 429 while it is above 0. Where a log may give back what
 * the key used the day before, one that falls too slowly stays open. Null without a fault.
 */
export function remainingOfDay(key: KeySeries): Judged {
  const { dayQuota, exclusive } = key;
  if (dayQuota === null || !exclusive) return null;
  const figures = figuresOfDay(key.figures);
  const name = subject(key.key);
  const all = daySamplesOf(key);
  // Remaining cannot count what a day allows beyond its limit: that is another row's.
  const until = all.filter(wasServed)[figures.perDay]?.sentAt ?? Infinity;
  const samples = all.filter(({ sentAt }) => sentAt < until);
  const ofDay = samples.filter((sample) => describesDay(sample, key.figures));
  const broken = loneRefusals(ofDay, figures).find(({ promised }) => promised >= 1);
  if (broken !== undefined) return promiseBroken(name, broken.promised, true);
  if (ofDay.length === 0) return null;
  const moves = movesOver({ ...key, figures }, samples, EVENLY).moves.map((move): Movement =>
    isStill(move, figures) ? { ...move, may: move.mayIfUnused } : move,
  );
  const wrong = worstOf(moves.filter((move) => isTooFast(move) || isTooSlow(move)));
  if (wrong !== undefined) return miscounted(name, wrong, true);
  return miscountIn({ moves }) === null
    ? null
    : unestablished('too-little-data', `${name}'s Remaining of the day ${MAY_BE_OTHERS}.`);
}
