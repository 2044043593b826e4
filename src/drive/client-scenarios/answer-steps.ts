import { setTimeout as pause } from 'node:timers/promises';
import { HELD_BACK_MS } from '../../judge/clients/repetitions.js';
import type { KeyName } from '../../base/interface/names.js';
import type { CredentialReader, RawRequest } from '../../wire/exchange/request-credential.js';
import { parseRequestTarget } from '../../wire/exchange/request-target.js';
import type { OwnAnswer } from '../../wire/proxy/passed.js';
import type { Clock } from './recorded-server.js';
import type { Step, Refusals } from './refusals-shape.js';
import { answerOf, untilLate } from './step-answer.js';

/** Longest wait for the rest of a group, ms. Clients that send four together were seen to take up to 45 ms. */
const TOGETHER_MS = 500;
/** What a timer may fire early, ms, and how late a busy proxy may read what it has to hold back. */
const MARGIN_MS = 25;
/** How long a refusal is held back, ms: a little more than the judge needs. */
const HOLD_MS = HELD_BACK_MS + MARGIN_MS;

/** The server that takes steps: the reference server, or a proxy in front of a real one. */
export interface Stepping {
  readonly reader: CredentialReader;
  readonly basePath: string;
  readonly clock: Clock;
  readonly graceMs: () => number;
  /** The other origin that redirects lead to; null without one. */
  readonly elsewhere: string | null;
}

/**
 * Returns a function that resolves with the answer in place of the server's, once it is due; null to serve
 * the request. Each key goes through the steps by itself. Only requests to declared operations with a known
 * key take steps.
 */
export function answering(refusals: Refusals, { reader, basePath, clock, graceMs, elsewhere }: Stepping) {
  const byKey = new Map<KeyName, ReturnType<typeof takingSteps>>();
  return async (request: RawRequest): Promise<OwnAnswer | null> => {
    const { key, bearer } = reader.credentialOf(request);
    const { operation } = parseRequestTarget(request, basePath);
    if (key.kind !== 'plan' || !bearer || operation === null) return null;
    const next = byKey.get(key.plan) ?? takingSteps(refusals, clock, graceMs);
    byKey.set(key.plan, next);
    const step = await next(operation);
    return step && answerOf(step, clock(), `${elsewhere ?? ''}${reader.hide(request.target)}`);
  };
}

/**
 * Returns a function that resolves with the step of the next request, once its answer is due; null for a
 * request that is served. Refusals are held back a little, so that what a client sends together arrives
 * before the first answer. A ban is for going on after a refusal, so a request that arrives before the
 * refusal is written gets that one too: a client may drop the rest of what it sent together, and never read a
 * ban.
 *
 * What arrives while the key has to rest waits for the record's grace. It may have been called before the
 * refusal. What the client sends after its answer certainly was not, even over a new connection each time.
 *
 * @param graceMs returns the grace of the record so far, ms
 */
function takingSteps({ steps, operations, together }: Refusals, clock: Clock, graceMs: () => number) {
  let taken = 0;
  let heldBack = 0;
  let restsUntil = Number.NEGATIVE_INFINITY;
  const company = gathering(steps.length);
  const take = async (operation: string): Promise<Step | null> => {
    if (operations && !(operations as readonly string[]).includes(operation)) return null;
    const isBeforeBan = steps[taken]?.kind === 'ban' && heldBack > 0;
    const step = isBeforeBan ? steps[taken - 1] : steps[taken];
    if (step === undefined) return null;
    if (together) {
      if (!(await company())) return null;
      taken = steps.length;
      return step;
    }
    if (!isBeforeBan) taken += 1;
    if (step.kind === 'refuse' || step.kind === 'ban') {
      heldBack += 1;
      await pause(HOLD_MS + untilLate(step, clock() + HOLD_MS));
      heldBack -= 1;
    }
    return step;
  };
  return async (operation: string): Promise<Step | null> => {
    const isResting = clock() < restsUntil;
    const [step] = await Promise.all([take(operation), isResting ? pause(graceMs() + MARGIN_MS) : undefined]);
    if (step?.kind === 'refuse' || step?.kind === 'ban')
      restsUntil = Math.max(restsUntil, clock() + step.wait.seconds * 1000);
    return step;
  };
}

/**
 * Returns a function that resolves once a request's group is complete: with true if others arrived with it,
 * up to `most` in all. A single request is no group, and neither is one that comes after the group was full.
 */
function gathering(most: number): () => Promise<boolean> {
  let size = 0;
  let waiting: ((isGroup: boolean) => void)[] = [];
  let timer: NodeJS.Timeout | undefined;
  const release = (): void => {
    clearTimeout(timer);
    const isGroup = size > 1;
    for (const resolve of waiting) resolve(isGroup);
    size = 0;
    waiting = [];
  };
  return () =>
    new Promise((resolve) => {
      size += 1;
      waiting.push(resolve);
      clearTimeout(timer);
      // A full group waits a little too: then what repeats a refusal could not have been called with it.
      timer = setTimeout(release, size === 1 || size >= most ? HOLD_MS : TOGETHER_MS);
    });
}
