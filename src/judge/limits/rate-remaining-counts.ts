import {
  blocked,
  kept,
  outOfScope,
  unestablished,
  untried,
  violated,
  type Judged,
} from '../findings/finding.js';
import { capital, count, counted, duration } from '../../base/kernel/format.js';
import { subject } from './series.js';
import type { KeyName } from '../../base/interface/names.js';
import { leftBy } from './sample.js';
import { loneRefusals, promiseBroken } from './left-at-refusal.js';
import { otherUseText } from './other-use.js';
import { remainingOfDay } from './day-remaining.js';
import type { KeyReading } from './reading.js';
import { isTooFast, isTooSlow, worstOf } from './movements.js';
import { MAY_BE_OTHERS, MISSED_EACH, miscounted, movesOver } from './remaining-moves.js';

/** Slack: a part of a request may be rounded up to one. */
const ROUNDED_UP = 1;

/** Says that too few responses show whether some requests are not counted. */
const missedBy = (key: KeyName, answers: number): string =>
  `whether 1 in ${MISSED_EACH} requests with the ${key} key is not counted (${counted(answers, 'response')} show too little)`;

const TO_THE_LAST = untried('X-RateLimit-Remaining on a 429 (no isolated 429 seen)');

/** Judges `rate-remaining-counts`: on an exclusive key, Remaining falls by one a request. */
export function remainingCounts(reading: KeyReading): Judged {
  return [ofMinute(reading), remainingOfDay(reading.key)];
}

function ofMinute(reading: KeyReading): Judged {
  const { key, figures, burst, concurrent, exclusive } = reading.key;
  const name = subject(key);
  if (!exclusive)
    return outOfScope('keys-shared', `${name}'s key has other users, whose requests count too.`);
  if (burst === null) return unestablished('too-little-data', `${name} sent too few requests.`);
  if (reading.isMalformed)
    return blocked(
      'rate-headers-wellformed',
      'X-RateLimit-Remaining is malformed, so its count cannot be checked.',
    );
  const { samples, moves, uncounted, answers, showsMissed } = reading.moves;
  if (uncounted !== null)
    return violated([], `${name}'s Remaining does not count its requests.`, {
      expected: `at most ${counted(uncounted.most, 'request')} back in ${duration(uncounted.elapsedMs)}`,
      actual: `Remaining shows ${count(uncounted.shown)} that came back or were not counted`,
      measured: { most: uncounted.most, got: uncounted.shown, what: ['uncounted'] },
    });
  if (reading.otherUse !== null)
    return unestablished('rate-limited', `${capital(otherUseText(key, reading.otherUse))}.`);
  const wrong = worstOf(moves.filter((move) => isTooFast(move) || isTooSlow(move)));
  if (wrong !== undefined) return miscounted(name, wrong);
  const [refused] = loneRefusals(samples, figures);
  if (refused !== undefined && refused.promised >= 1) return promiseBroken(name, refused.promised);
  const left = leftBy(refused?.refusal, figures);
  if (left !== null && left > ROUNDED_UP)
    return violated([], `${name} gets 429 with requests left.`, {
      expected: '429 with X-RateLimit-Remaining: 0',
      actual: `429 with X-RateLimit-Remaining: ${count(left)}`,
      measured: { status: 429, most: 0, got: left },
    });
  const stuck = worstOf(
    movesOver(reading.key, concurrent?.samples ?? [], reading.comesBack.clump).moves.filter(isTooSlow),
  );
  if (stuck !== undefined) return miscounted(name, stuck);
  if (reading.miscount === 'may-be')
    return unestablished('too-little-data', `${name}'s Remaining ${MAY_BE_OTHERS}.`);
  if (answers === 0)
    return unestablished('headers-missing', `${name} got too few readable X-RateLimit-Remaining values.`);
  const found = kept([], `Remaining counted correctly over ${counted(answers, 'response')}.`);
  return [found, left === null ? TO_THE_LAST : null, showsMissed ? null : untried(missedBy(key, answers))];
}
