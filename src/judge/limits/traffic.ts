import { kept, about, allAbout, violated, type Finding, type Judgement } from '../findings/finding.js';
import type { KeyName } from '../../base/interface/names.js';
import type { OperationName } from '../../base/interface/types.js';
import { counted } from '../../base/kernel/format.js';
import { FEWEST, SLACK, type Figures } from './bounds.js';
import { exemptIn, fallsIn, isBeyondRefill, type Fall } from './falls.js';
import { hasUncountable, rateFaults, showsRate } from './headers/header-faults.js';
import { MOST_NAMED, rateTally } from './headers/rate-tally.js';
import { brokenPromise, loneRefusals } from './left-at-refusal.js';
import { miscounted } from './miscounted.js';
import { limitValue } from './rate-limit-value.js';
import { wasRefused, wasServed, type Sample } from './sample.js';
import { subject } from './series.js';
import { LIMIT_ROW, REMAINING_ROW } from './traffic-rows.js';

/**
 * Requests of the suites with one key, one by one. A request has status 0 if it may or may not count: without
 * the key, of no operation, or without a complete response.
 */
export interface Traffic {
  readonly key: KeyName;
  readonly figures: Figures;
  readonly exclusive: boolean;
  readonly requests: readonly Sample[];
}

/** Finding on a requirement, and the responses that prove it. */
interface TrafficFinding {
  readonly finding: Finding;
  readonly answers: readonly Sample[];
}

/**
 * Judges Limit and Remaining by the suites' traffic: a violation, or proof that a violation would have shown.
 * Returns nothing for open requirements, since load may decide them.
 */
export function judgeTraffic({ key, figures, exclusive, requests }: Traffic): readonly TrafficFinding[] {
  const samples = requests.slice(
    Math.max(
      0,
      requests.findIndex(({ status }) => status > 0),
    ),
  );
  const isCountable = exclusive && !hasUncountable(samples, figures);
  return [...limits(key, samples, figures), ...(isCountable ? remaining(key, samples, figures) : [])];
}

function limits(key: KeyName, samples: readonly Sample[], figures: Figures): readonly TrafficFinding[] {
  const telling = samples.filter((sample) => showsRate(LIMIT_ROW, sample));
  const foreign = telling.filter((sample) =>
    rateFaults(sample, figures, null).some((fault) => fault.row === LIMIT_ROW),
  );
  const answers = foreign.length > 0 ? foreign.slice(0, MOST_NAMED) : telling;
  return telling.length === 0
    ? []
    : allAbout(LIMIT_ROW, limitValue(key, rateTally(samples, figures, null), figures)).map((finding) => ({
        finding,
        answers,
      }));
}

function remaining(key: KeyName, samples: readonly Sample[], figures: Figures): readonly TrafficFinding[] {
  const exempt = exemptIn(samples, figures);
  const unlimited = [...exempt].map((operation) => ({
    finding: about('rate-all-operations', notLimited(key, operation)),
    answers: samples.filter((one) => one.operation === operation && wasServed(one)).slice(0, MOST_NAMED),
  }));
  const falls = fallsIn(samples, figures, exempt);
  const wrong = miscounted(subject(key), falls, figures);
  const found =
    wrong === null
      ? promiseOf(key, samples, figures)
      : {
          finding: about(REMAINING_ROW, wrong.judgement),
          answers: answersOf(wrong.falls).slice(0, MOST_NAMED),
        };
  if (found !== null) return [...unlimited, found];
  // What earlier requests gave back makes falls short. A Remaining that fell at each request counts them.
  const isOpen =
    unlimited.length > 0 ||
    samples.some(wasRefused) ||
    falls.some(({ fall, all }) => fall > all) ||
    falls.filter(({ isShort }) => isShort).length > SLACK ||
    // A constant Remaining would have shown.
    !isBeyondRefill(falls, figures);
  if (isOpen) return unlimited;
  const answers = answersOf(falls);
  const message = `Remaining counted correctly over ${counted(answers.length, 'response')}.`;
  return [{ finding: about(REMAINING_ROW, kept([], message)), answers }];
}

const answersOf = (falls: readonly Fall[]): readonly Sample[] => [
  ...new Set(falls.flatMap(({ from, to }) => [from, to])),
];

const notLimited = (key: KeyName, operation: OperationName): Judgement =>
  violated([], `${subject(key)} does not limit ${operation}.`, {
    expected: 'each operation uses the allowance',
    actual: `Remaining did not fall, or was a separate one, at each ${operation}`,
    measured: { what: ['exempt', operation] },
  });

/** Finds 429s of one operation while requests are left, which a smaller limit for it explains. */
function promiseOf(key: KeyName, samples: readonly Sample[], figures: Figures): TrafficFinding | null {
  const broken = loneRefusals(samples, figures).filter(({ promised }) => promised >= FEWEST);
  const isOfOne = new Set(samples.filter(wasRefused).map(({ operation }) => operation)).size === 1;
  // A single 429 may come from the network in front of the service.
  if (broken.length < 2 || !isOfOne) return null;
  const promised = Math.min(...broken.map((one) => one.promised));
  return {
    finding: about(REMAINING_ROW, violated([], ...brokenPromise(subject(key), promised))),
    answers: broken.map(({ refusal }) => refusal).slice(0, MOST_NAMED),
  };
}
