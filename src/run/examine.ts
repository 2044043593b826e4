import { loadLedger } from '../base/interface/ledger.js';
import { statusOf } from '../wire/exchange/headers.js';
import { redactor, type Redact } from '../wire/exchange/redact.js';
import type { Exchange } from '../wire/exchange/types.js';
import { memoryJournal, redactRecord } from '../log/journal.js';
import { isSelected } from '../log/header.js';
import type { Obstacle } from '../log/record.js';
import { clock, duration } from '../base/kernel/format.js';
import { resolveTarget } from '../drive/suite/resolve-target.js';
import type { Target } from '../wire/targets/target.js';
import type { Examination, KeyLook, RunCost } from '../report/examination.js';
import { costOf } from './cost.js';
import { keysOf, ownWordsOf, type RunRequest } from './request.js';
import type { RunPlan } from './plan-run.js';
import { doubtsBeforehand, look } from './preflight.js';
import { namedKeys } from '../wire/targets/keys.js';
import type { KeyName } from '../base/interface/names.js';

/** Time limit for one response, ms: a diagnosis takes at most three seconds. */
const SOON_MS = 1_500;
const OF_ONE_KEY: ReadonlySet<Obstacle['code']> = new Set<Obstacle['code']>(['key-refused', 'rate-limited']);

/** Sends the target one request with each of its keys, and estimates the requests of a run. Judges nothing. */
export async function examine({ request, removal }: RunPlan, signal: AbortSignal): Promise<Examination> {
  const target = await resolveTarget(request.target, AbortSignal.any([signal, AbortSignal.timeout(SOON_MS)]));
  const lookWith = (key: KeyName): Promise<KeyLook> =>
    lookOnce({ ...request, target: withKey(target, key) }, key);
  const own = await lookWith(target.suiteKey);
  if (!own.found.ok && !OF_ONE_KEY.has(own.found.obstacle.code)) return { looks: [own], cost: null };
  const others = namedKeys(target).flatMap(([key]) => (key === target.suiteKey ? [] : [key]));
  const looks = [own, ...(await Promise.all(others.map(lookWith)))];
  return { looks, cost: own.found.ok ? await costOf(request, own.found.facts.reachableMs) : null };

  async function lookOnce(asked: RunRequest, key: KeyName): Promise<KeyLook> {
    const ended = new AbortController();
    const redact = redactor(keysOf(request), ownWordsOf(request));
    // A run would wait; a diagnosis reports the wait instead.
    const journal = memoryJournal(({ type }) => type === 'waiting' && ended.abort());
    try {
      const found = await look(
        {
          request: asked,
          removal,
          estimate: async () => ({ requests: 0, seconds: 0 }),
          signal: AbortSignal.any([signal, ended.signal]),
        },
        journal,
      );
      if (!found.ok)
        return {
          key,
          found: { ok: false, obstacle: patient(redactedObstacle(found.obstacle, redact), target) },
        };
      const { facts } = redactRecord({ type: 'preflight', facts: found.facts }, redact);
      const doubts = found.doubts.map(({ text, hint }) => ({ text: redact(text), hint }));
      // Doubts about the target are reported once.
      if (key === target.suiteKey) doubts.push(...doubtsBeforehand(target, found.facts, request.writes));
      return { key, found: { ok: true, facts, doubts } };
    } catch (error) {
      const wait = journal.records.find((record) => record.type === 'waiting');
      if (wait === undefined || signal.aborted) throw error;
      const refusal = journal.records.findLast((record) => record.type === 'exchange')?.exchange;
      return { key, found: { ok: false, obstacle: busy(refusal, wait.until, asked.target) } };
    }
  }
}

function withKey(target: Target, key: KeyName): Target {
  const http = { ...target.http, timeoutMs: Math.min(target.http.timeoutMs, SOON_MS) };
  if (key !== 'sacrificial' || !target.sacrificial)
    return { ...target, http, suiteKey: key === 'sacrificial' ? target.suiteKey : key };
  const { plan } = target.sacrificial;
  const variable = (target.keyVariables as Readonly<Record<string, string>> | undefined)?.['sacrificial'];
  const { sacrificial, ...rest } = target;
  return {
    ...rest,
    http,
    suiteKey: plan,
    keys: { [plan]: sacrificial.key },
    keyVariables: variable === undefined ? {} : { [plan]: variable },
  };
}

/** An obstacle may quote a response, which may echo a key. */
const redactedObstacle = ({ code, short, message, hint }: Obstacle, redact: Redact): Obstacle => ({
  code,
  short: redact(short),
  message: redact(message),
  hint: redact(hint),
});

const patient = (obstacle: Obstacle, { http }: Target): Obstacle =>
  obstacle.code === 'timeout' && http.timeoutMs > SOON_MS
    ? { ...obstacle, hint: `${obstacle.hint} A run waits ${duration(http.timeoutMs)}.` }
    : obstacle;

function busy(refusal: Exchange | undefined, until: number, { baseUrl, suiteKey }: Target): Obstacle {
  const status = refusal === undefined ? 429 : statusOf(refusal);
  const at = clock(until).slice(0, 8);
  return {
    code: 'rate-limited',
    short: `it returns ${status} now`,
    message: `${baseUrl} returns ${status} to the ${suiteKey} key now.`,
    hint: `It asks to wait until ${at} UTC, as a run would. Try again then, or use another key.`,
  };
}

export function reach(
  { request }: RunPlan,
  { load }: RunCost,
): { readonly judged: number; readonly all: number } {
  const rows = loadLedger().requirements;
  const out = new Set(
    load?.findings.flatMap((finding) =>
      finding.kind === 'not-applicable' || finding.kind === 'inconclusive' ? [finding.requirement] : [],
    ),
  );
  const judged = rows.filter(
    ({ id, judgedBy }) =>
      judgedBy.kind !== 'nobody' &&
      judgedBy.kind !== 'compare' &&
      (judgedBy.kind !== 'load' || load !== null) &&
      !out.has(id) &&
      isSelected(request, id),
  );
  return { judged: judged.length, all: rows.length };
}
