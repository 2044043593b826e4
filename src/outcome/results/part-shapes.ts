import {
  array,
  closed,
  described,
  map,
  mixed,
  nothing,
  object,
  type Of,
  oneOf,
  optional,
  someText,
  string,
  truth,
} from '../../base/kernel/shape.js';
import { growing } from '../../base/kernel/tolerant.js';
import { amount, whole, moment, requirementId, verdict, counts, requirement } from './requirement-shape.js';
import { STORY } from '../../judge/findings/shape.js';

/** A cause in the run itself, which explains many rows: it is said once and first, and they follow from it. */
export type RunCause = Of<typeof cause>;
export const cause = closed({
  code: growing(
    oneOf([
      'key-refused',
      'keys-swapped',
      'server-stopped',
      'own-limit',
      'rate-limited',
      'unavailable',
      'body-too-large',
    ]),
  ),
  // A sentence without its full stop, or a question.
  text: string(),
  hint: string(),
  requirements: array(requirementId),
});

/**
 * Problem that prevents acceptance. `expired`, `stale`, `unmatched` and `other-finding` concern an entry of
 * the baseline, `unaccepted` a deviation without an entry, `incomplete` and `nothing-judged` the whole run.
 */
export type BaselineProblem = Of<typeof baselineProblem>;
export const baselineProblem = object({
  kind: growing(
    oneOf(['expired', 'stale', 'unmatched', 'other-finding', 'unaccepted', 'incomplete', 'nothing-judged']),
  ),
  id: described('The requirement; null for the whole run.', mixed(string(), nothing)),
  message: someText,
});

export type SideResults = Of<typeof side>;
export const side = closed({
  side: growing(oneOf(['service', 'client'])),
  verdict,
  clean: optional(described('As of the run, for this side.', truth)),
  counts,
  requirements: array(requirementId),
});

/** Number of recorded requests, of a run that judges a client. */
export type TrafficResults = Of<typeof traffic>;
export const traffic = closed({
  // Of a run with the reference server or the proxy, all requests.
  entries: amount,
  inScope: amount,
  from: optional(
    described('When the first of these requests began, by the record; absent without times.', moment),
  ),
  to: optional(described('When the last response ended.', moment)),
  unanswered: optional(
    described('Requests that the service gave no response, behind the proxy; absent for none.', amount),
  ),
  cutShort: optional(
    described(
      'Responses behind the proxy whose body ended early, or was too large to judge; absent for none.',
      amount,
    ),
  ),
  leftOut: described('Entries that are not requests of the client, by reason.', map(amount, {})),
  masked: optional(
    described('Names of headers, parameters and body members whose values are masked.', array(string())),
  ),
});

export type OwnResults = Of<typeof own>;
export const own = closed({
  decide: described("Whether they decide about the run's verdict as well.", truth),
  verdict: described('Only of these requirements, whatever they decide.', verdict),
  withoutThem: described("Only of the interface's requirements.", verdict),
  counts,
  requests: described("How many requests their tests sent; the run's requests hold them as well.", amount),
  requirements: array(requirement),
  problems: described(
    'What went wrong in their files, which says nothing about the target.',
    array(
      closed({
        message: someText,
        file: optional(string()),
        line: optional(whole),
        requirement: optional(string()),
      }),
    ),
  ),
});

/** The same seed on the same target repeats it. */
export type ExploredResults = Of<typeof explored>;
export const explored = closed({
  seed: whole,
  asked: described('The most requests that it was given.', amount),
  requests: described('Those that it sent.', amount),
  stopped: optional(
    described(
      'Why it ended before its requests were used up.',
      growing(oneOf(['limited', 'unanswered', 'interrupted'])),
    ),
  ),
  stories: described(
    'The shortest stories that show a violation, each with its requirement.',
    array(object({ ...STORY, requirement: requirementId, message: string() })),
  ),
  classes: described(
    'How often each class of values, pair and operation in a state was tried, and served; 0 where it was left out for want of ' +
      'requests.',
    array(closed({ kind: someText, class: someText, tried: amount, served: amount })),
  ),
  residents: optional(
    described(
      'The animals from before the run that listings showed, and how many of them were fetched; absent without fetches.',
      closed({ shown: amount, fetched: amount }),
    ),
  ),
});
