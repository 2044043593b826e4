import type { Finding } from '../findings/finding.js';
import type { Judging } from '../checks/layers.js';
import { judgePassively } from '../checks/passive.js';
import { rateFactsOf } from '../checks/rate-headers.js';
import { loadPlans } from '../contract/plans.js';
import type { Exchange } from '../exchange/types.js';
import { isOwn } from '../log/own-exchange.js';
import type { RunLog } from '../log/run-log.js';
import { count, grouped, listed, capital } from '../format/format.js';
import type { Mismatch } from './verify-certificate.js';
import { planNames } from '../contract/names.js';

/** Possible difference between the two clocks that write a log's times, the suites' and the run's, ms. */
const CLOCKS_APART_MS = 1000;

/**
 * Returns contradictions in a log, or with the interface, that do not prevent a verdict: simple forgeries. Judges findings
 * again only where single responses of suites decide. A log forged as a whole cannot be detected. Pure.
 */
export function contradictionsIn(log: RunLog, judging: Judging, now: number): readonly Mismatch[] {
  return [
    ...otherInterface(log, judging),
    ...otherFigures(log),
    ...inTheFuture(log, now),
    ...beyondItsTime(log),
    ...withoutExchange(log),
    ...judgedOtherwise(log, judging),
    ...withoutSeries(log),
  ];
}

function otherInterface({ header }: RunLog, { contract }: Judging): readonly Mismatch[] {
  const { version, removalDate } = header.interface;
  return [
    ...differing('interface.version of the log', contract.interfaceVersion, version),
    ...differing('removal date of the log', contract.removalDate, removalDate),
  ];
}

/** Enterprise's figures are agreed individually; the interface sets the others (part 8, "Request rate, by plan"). */
function otherFigures({ header }: RunLog): readonly Mismatch[] {
  const plans = loadPlans();
  return planNames.flatMap((name) => {
    const [own, used] = [plans[name], header.target.figures[name]];
    if (own === 'custom' || used === undefined) return [];
    return differing(`figures of ${capital(name)}`, inWords(own), inWords(used));
  });
}

const inWords = ({ perMinute, perDay }: { readonly perMinute: number; readonly perDay: number }): string =>
  `${count(perMinute)} a minute, ${count(perDay)} a day`;

/** Possible delay of the verifier's clock, ms. */
const BEHIND_MS = 300_000;

function inTheFuture({ header, footer }: RunLog, now: number): readonly Mismatch[] {
  // The day of a run may be one ahead in its time zone.
  const asOfDay = Date.parse(header.scope.asOf) - 86_400_000;
  const dates = [
    ['startedAt', header.startedAt, Date.parse(header.startedAt)],
    ['finishedAt', footer?.finishedAt ?? '', Date.parse(footer?.finishedAt ?? '')],
    ['asOf', header.scope.asOf, asOfDay],
  ] as const;
  return dates.flatMap(([what, written, at]) =>
    at <= now + BEHIND_MS ? [] : [{ what, certified: written, found: `a date after ${new Date(now).toISOString()}` }],
  );
}

function beyondItsTime({ header, footer, exchanges, profiles }: RunLog): readonly Mismatch[] {
  const from = Date.parse(header.startedAt) - CLOCKS_APART_MS;
  const until = Date.parse(footer?.finishedAt ?? '') + CLOCKS_APART_MS;
  const spans = [
    ...exchanges.map(({ id, sentAt, latencyMs }) => ({ what: id, from: sentAt, until: sentAt + latencyMs })),
    ...profiles.map(({ profile, plan, startedAt, finishedAt }) => ({
      what: `${profile} ${plan}`,
      from: startedAt,
      until: finishedAt,
    })),
  ];
  // An invalid time never counts as inside.
  const outside = spans.filter((span) => !(span.from >= from && span.until <= until));
  if (outside.length === 0 && from <= until) return [];
  return [
    {
      what: 'times of the log',
      certified: `${header.startedAt} to ${footer?.finishedAt ?? 'no end'}`,
      found:
        outside.length === 0
          ? 'an end before the start'
          : `outside this time: ${some(outside.map(({ what }) => what))}`,
    },
  ];
}

function withoutExchange({ exchanges, findings }: RunLog): readonly Mismatch[] {
  const known = new Set(exchanges.map(({ id }) => id));
  const lost = findings
    .flatMap((finding) => ('exchanges' in finding ? finding.exchanges : []))
    .filter((id) => !known.has(id));
  return lost.length === 0
    ? []
    : [{ what: 'evidence in the log', certified: 'every finding with its exchanges', found: `${some(lost)} missing` }];
}

const isBroken = (finding: Finding): boolean => finding.kind === 'violated' && finding.warns !== true;

/** Judges again the rows that every single response decides. */
function judgedOtherwise({ header, exchanges, findings }: RunLog, judging: Judging): readonly Mismatch[] {
  const { figures, windows } = header.target;
  const ratesOf = ({ credential }: Exchange) => {
    // Parts of one run may use keys of several plans.
    const own = credential.kind === 'valid' && credential.plan !== 'sacrificial' ? figures[credential.plan] : undefined;
    const plan = own ?? figures[header.scope.suiteKey];
    return plan === undefined ? undefined : rateFactsOf({ plan, windows });
  };
  const told = new Set(findings.filter(isBroken).map(({ requirement }) => requirement));
  const anew = exchanges.flatMap((exchange) => {
    const rates = ratesOf(exchange);
    if (rates === undefined || isOwn(exchange)) return [];
    return judgePassively(exchange, { ...judging, rates })
      .findings.filter((finding) => isBroken(finding) && !told.has(finding.requirement))
      .map(({ requirement }) => ({ requirement, id: exchange.id }));
  });
  return [...grouped(anew, ({ requirement }) => requirement)].map(([what, all]) => ({
    what,
    certified: 'no response violates it',
    found: `violated by ${some(all.map(({ id }) => id))}`,
  }));
}

const nameOf = ({ profile, plan }: { readonly profile: string; readonly plan: string }): string => `${profile} ${plan}`;

/** Compares the number of responses under load with the requests that the profiles report. */
function withoutSeries({ profiles, series }: RunLog): readonly Mismatch[] {
  return [...grouped(profiles, nameOf)].flatMap(([name, own]) => {
    const sent = own.reduce((sum, one) => sum + one.sent, 0);
    const recorded = series
      .filter((one) => nameOf(one) === name)
      .flatMap(({ moments }) => moments)
      .reduce((sum, { served, refused, other }) => sum + served + refused + other, 0);
    return differing(`responses of ${name}`, `${count(sent)} sent`, `${count(recorded)} sent`);
  });
}

/** Returns a mismatch of texts that differ. */
export const differing = (what: string, certified: string, found: string): readonly Mismatch[] =>
  certified === found ? [] : [{ what, certified, found }];

/** Most items that a line names; more are counted. */
const MOST_NAMED = 5;

function some(names: readonly string[]): string {
  const each = [...new Set(names)];
  return each.length > MOST_NAMED
    ? `${each.slice(0, MOST_NAMED).join(', ')} and ${each.length - MOST_NAMED} more`
    : listed(each);
}
