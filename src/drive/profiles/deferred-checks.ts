import {
  about,
  underLoad,
  unestablished,
  violated,
  type Finding,
  type Violation,
} from '../../judge/findings/finding.js';
import { KEY_REFUSED, statusBreak, type Judging } from '../../judge/checks/layers.js';
import { isSuccess } from '../../base/interface/success.js';
import { hasErrorBody } from '../../judge/service/refusals.js';
import { judgePassively } from '../../judge/checks/passive.js';
import type { RequirementId } from '../../base/interface/types.js';
import { isOfGateway } from '../../wire/exchange/gateway.js';
import { answeredAt, kindOfAnswer, statusOf } from '../../wire/exchange/headers.js';
import { count, counted } from '../../base/kernel/format.js';
import { bodyInMemory } from '../../wire/exchange/body-on-disk.js';
import type { Exchange } from '../../wire/exchange/types.js';
import type { RefusalBody } from '../../judge/limits/series.js';
import type { Journal } from '../../log/journal.js';
import { keptCounts } from '../../log/kept-counts.js';
import type { Origin } from '../load/keeper.js';
import type { LoadAnswer } from '../load/requests.js';
import { additionOf } from '../probes/store.js';
import type { KeyName, ProfileName } from '../../base/interface/names.js';

/** Most responses to keep; large ones, and more, are judged as they come. */
const MOST_KEPT_BYTES = 16 * 1024 * 1024;
const MOST_KEPT = 10_000;
/** Responses judged in one go, at about 40 us each. */
const AT_ONCE = 25;
/** Most findings to record for one requirement and profile. */
const MOST_FINDINGS = 3;

/** Requirements that the limits' oracles judge over all responses of a key, with a better clock. */
const JUDGED_TOGETHER: ReadonlySet<RequirementId> = new Set([
  'rate-headers-present',
  'rate-headers-wellformed',
]);

interface Kept {
  readonly exchange: Exchange;
  readonly origin: Origin;
}

/**
 * Longest outage that may be a deployment of the service behind its gateway, from its first response to its
 * last, ms: an instance leaves and the next one takes over.
 */
const OUTAGE_MS = 5_000;

const unavailableOnce = (statuses: ReadonlySet<number>, responses: number): string =>
  `${counted(responses, 'response')} under load within a moment had ${[...statuses].join(' or ')}, ` +
  'so the target may have been unavailable only then';

const statusName = (exchange: Exchange): string => `${exchange.operation} ${statusOf(exchange)}`;

/**
 * Returns operations with wrong status codes for which a row of the suites is charged already. One fault is
 * charged once: `declared-status` is for status codes that no row names.
 */
const chargedBySuites = (known: readonly Exchange[]): ReadonlySet<string> =>
  new Set(
    known
      .filter(({ intent }) => intent.kind === 'expects' && intent.statuses.some(isSuccess))
      .filter((exchange) => statusBreak(exchange)?.layer === 'status')
      .map(statusName),
  );

/** Runs the checks of all responses on the load's, when there is time; the journal gets the findings. */
export class DeferredChecks {
  private readonly charged: ReadonlySet<string>;
  private readonly waiting: Kept[] = [];
  private readonly keptBy = new Map<ProfileName, ReturnType<typeof keptCounts>>();
  private readonly reported = new Map<string, number>();
  /** For each 429 whether it had an Error body. */
  readonly refusalBodies: RefusalBody[] = [];
  /** Profiles with an untrusted connection, and the first fault of each. */
  readonly certificateFaults = new Map<string, string>();
  /** Responses of a server that is unavailable, and their reports. */
  private readonly unavailable = { since: 0, until: 0, statuses: new Set<number>() };
  private readonly held: (() => void)[] = [];
  /** Refusals of a valid key, until its next response shows whether it was banned. */
  private readonly refused = new Map<KeyName, { readonly at: number; readonly tell: () => void }>();
  /** Responses so far, and server errors by operation and status code: their share is known at the end. */
  private responses = 0;
  private readonly serverErrors = new Map<string, { count: number; readonly first: Violation }>();
  private bytes = 0;

  /** @param known exchanges of the suites */
  constructor(
    private readonly judging: Judging,
    private readonly journal: Journal,
    known: readonly Exchange[] = [],
  ) {
    this.charged = chargedBySuites(known);
  }

  private judge({ exchange, origin }: Kept): void {
    const status = statusOf(exchange);
    if (status !== null) this.responses += 1;
    if (status === 429 && exchange.operation !== null) {
      this.refusalBodies.push({ operation: exchange.operation, error: hasErrorBody(exchange, this.judging) });
    }
    if (status === 201) this.journal.append(additionOf(exchange));
    this.judgeRefusal({ exchange, origin });
    if (!origin.passive) return;
    const { kept, findings } = judgePassively(exchange, { ...this.judging, rates: origin.figures });
    const counts = this.keptBy.get(origin.profile) ?? keptCounts(origin.profile);
    this.keptBy.set(origin.profile, counts);
    counts.add(kept, 1, kindOfAnswer(exchange));
    const telling = (): void => findings.forEach((finding) => this.tell(finding, exchange, origin));
    if (!isOfGateway(exchange)) return telling();
    const { unavailable } = this;
    unavailable.since ||= exchange.sentAt;
    unavailable.until = Math.max(unavailable.until, exchange.sentAt);
    unavailable.statuses.add(status ?? 0);
    this.held.push(telling);
    // One outage may be a deployment, two are not.
    if (unavailable.until - unavailable.since > OUTAGE_MS) this.held.splice(0).forEach((tellOf) => tellOf());
  }

  /** A ban lasts: a key that is refused between two successes was not banned. */
  private judgeRefusal({ exchange, origin }: Kept): void {
    const status = statusOf(exchange) ?? 0;
    const { key, passive } = origin;
    const before = this.refused.get(key);
    if (before && exchange.sentAt >= before.at) {
      this.refused.delete(key);
      if (isSuccess(status)) before.tell();
    }
    if (!passive || !KEY_REFUSED.includes(status)) return;
    const detail = { expected: 'neither 401 nor 403', actual: String(status) };
    const finding = about(
      'auth-valid-key',
      violated([], 'a valid key was refused between successes', detail),
    );
    const tell = (): void => this.tell(finding, exchange, origin);
    this.refused.set(key, { at: answeredAt(exchange), tell });
  }

  private tell(finding: Finding, exchange: Exchange, { profile, key }: Origin): void {
    if (finding.kind !== 'violated' || JUDGED_TOGETHER.has(finding.requirement)) return;
    if (finding.requirement === 'declared-status' && this.charged.has(statusName(exchange))) return;
    const { method, path } = exchange.request;
    // The exchange itself is not recorded: the profile counts its request.
    const message = underLoad(finding.message, `${profile} ${key}`, `${method} ${path}`);
    const shown = { ...finding, message, exchanges: [] };
    if (finding.requirement === 'declared-status' && (statusOf(exchange) ?? 0) >= 500) {
      const error = this.serverErrors.get(statusName(exchange)) ?? { count: 0, first: shown };
      error.count += 1;
      return void this.serverErrors.set(statusName(exchange), error);
    }
    const name = `${finding.requirement} ${profile}`;
    const before = this.reported.get(name) ?? 0;
    this.reported.set(name, before + 1);
    if (before < MOST_FINDINGS) this.journal.append({ type: 'finding', finding: shown });
  }

  private takeOut(count: number): readonly Kept[] {
    const out = this.waiting.splice(0, count);
    this.bytes -= out.reduce((sum, { exchange }) => sum + bodyInMemory(exchange.answer), 0);
    return out;
  }

  take({ exchange }: LoadAnswer, origin: Origin): void {
    const { answer } = exchange;
    if (answer.kind === 'none' && answer.code === 'tls' && !this.certificateFaults.has(origin.profile))
      this.certificateFaults.set(origin.profile, answer.message);
    if (origin.inPassing) return this.judge({ exchange, origin });
    this.waiting.push({ exchange, origin });
    this.bytes += bodyInMemory(answer);
    if (this.bytes > MOST_KEPT_BYTES || this.waiting.length > MOST_KEPT)
      this.takeOut(Infinity).forEach((kept) => this.judge(kept));
  }

  /** Judges what is kept while `goesOn`, a little at a time, so that it delays no request. */
  async drain(goesOn = (): boolean => true): Promise<void> {
    while (this.waiting.length > 0 && goesOn()) {
      this.takeOut(AT_ONCE).forEach((kept) => this.judge(kept));
      await new Promise((resume) => setImmediate(resume));
    }
  }

  /** Judges the rest and records how many responses met which requirement. */
  close(): void {
    this.takeOut(Infinity).forEach((kept) => this.judge(kept));
    const once = this.held.splice(0).length;
    if (once > 0) {
      const reason = unavailableOnce(this.unavailable.statuses, once);
      this.journal.append({
        type: 'finding',
        finding: about('declared-status', unestablished('unavailable', reason)),
      });
    }
    for (const { count: errors, first } of this.serverErrors.values()) {
      const share = `${first.actual} on ${count(errors)} of ${counted(this.responses, 'response')} under load`;
      this.journal.append({ type: 'finding', finding: { ...first, actual: share } });
    }
    this.serverErrors.clear();
    for (const counts of this.keptBy.values())
      for (const record of counts.records()) this.journal.append(record);
    this.keptBy.clear();
  }
}
