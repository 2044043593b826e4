import {
  outOfScope,
  unestablished,
  violated,
  type Judgement as Finding,
} from '../../judge/findings/finding.js';
import type { RequirementId } from '../../base/interface/types.js';
import { plain } from '../../wire/exchange/key-forms.js';
import { redactor, type Redact } from '../../wire/exchange/redact.js';
import type { RequestSpec } from '../../wire/exchange/request-spec.js';
import { parseRequestTarget } from '../../wire/exchange/request-target.js';
import { createSender } from '../../wire/exchange/sender.js';
import type { Exchange } from '../../wire/exchange/types.js';
import { takeOver } from '../../log/follow.js';
import type { Journal } from '../../log/journal.js';
import { Courier, mostRequests } from '../probes/courier.js';
import { bearer, nobody } from '../probes/credentials.js';
import { Unjudgeable } from '../probes/unjudgeable.js';
import type { WorkerOrder } from '../suite/variables.js';
import { isOwn, ownId } from '../../log/own-exchange.js';
import { answerOf, type Answer, type Asked } from './checks.js';
import type { Body } from './host.js';
import { failureOf, placeOf, skippedBy, softFailure, type Running } from './test-failures.js';

export type OwnFixture = Awaited<ReturnType<typeof openOwnFixture>>;

/** Methods that add nothing, so they are allowed without writes (RFC 9110 section 9.2.1). */
const SAFE: ReadonlySet<string> = new Set(['GET', 'HEAD', 'OPTIONS']);

/**
 * Opens the fixture of a worker of own suites. Its requests are sent, delayed, redacted and logged like those
 * of the kit's suites. They have a separate account, and the interface is not judged by them.
 *
 * @param running returns Playwright's facts of the running test: errors of assertions that do not throw, and
 *   whether it skipped itself
 */
export async function openOwnFixture(order: WorkerOrder, running: () => Running) {
  const { keys, words } = order;
  const { ids, files } = order.own ?? { ids: [], files: [] };
  const redact = redactor(keys, words);
  const { known: before, journal: shared } = await takeOver(order.log, 'own', redact, order.secret);
  const known = before.filter(isOwn);
  let number = known.length;
  const sender = createSender({
    baseUrl: order.baseUrl,
    run: order.run,
    limits: order.limits,
    nextId: () => ownId((number += 1)),
  });
  const journal = ownJournal(shared, redact);
  const courier = new Courier({
    sender,
    journal,
    passive: null,
    key: keys[0] ?? '',
    windowMs: order.figures.windows.minute * 1000,
    most: mostRequests(order.figures.plan.perMinute),
    known,
    last: before.findLast(({ credential }) => credential.kind === 'valid'),
  });
  const facts = {
    baseUrl: order.baseUrl,
    run: order.run,
    plan: order.plan,
    writes: order.writes,
    asOf: order.asOf,
  };

  async function ask(id: RequirementId, asked: Asked): Promise<Answer> {
    const exchange = await courier.askAgain(specOf(id, asked, order));
    const answer = answerOf(exchange);
    if (answer !== null) return answer;
    const why = exchange.answer.kind === 'none' ? exchange.answer.message : '';
    throw new Unjudgeable(
      unestablished('transport', `“${exchange.probe}” got no complete response: ${why}`, [exchange]),
    );
  }

  return {
    /**
     * Runs the body of a requirement and records its judgements. Never throws; the run reports an id without
     * a row.
     */
    async judge(named: string, body: Body): Promise<void> {
      const id = ids.find((one) => one === named);
      if (id === undefined) return;
      const judgements: Finding[] = [];
      const asked = courier.exchanges().length;
      const noted = running().errors.length;
      let cause: unknown = null;
      try {
        await body({
          ask: (request) => ask(id, request),
          judge: (...more) => void judgements.push(...(more as readonly Finding[])),
          facts,
        });
      } catch (error) {
        cause = error;
      }
      const newest = courier.exchanges().slice(asked).slice(-1);
      for (const { message = '' } of running().errors.slice(noted)) {
        const failure = softFailure(message);
        judgements.push(violated(newest, failure.message, failure));
      }
      const failure = failureOf(cause);
      const skipped = skippedBy(cause, running());
      if (cause instanceof Unjudgeable) judgements.push(cause.judgement);
      else if (failure) judgements.push(violated(newest, failure.message, failure));
      else if (skipped !== null) judgements.push(unestablished('own-suite', skipped, newest));
      else if (cause !== null) {
        const problem = { ...placeOf(cause, files), requirement: id };
        judgements.push(unestablished('own-suite', `its test threw an error: ${problem.message}`, newest));
        journal.append({ type: 'own-problem', problem });
      }
      if (judgements.length === 0)
        judgements.push(unestablished('own-suite', 'its test ended without a judgement', newest));
      for (const judgement of judgements)
        journal.append({ type: 'finding', finding: { ...judgement, requirement: id } });
      journal.append({ type: 'settled', requirement: id });
    },
    close: async (): Promise<void> => (await sender.close(), journal.close()),
  };
}

/** Redacts the requests too: an own test may send a key that the kit did not write. */
function ownJournal(journal: Journal, redact: Redact): Journal {
  const withoutKeys = ({ probe, request, ...rest }: Exchange): Exchange => ({
    ...rest,
    probe: redact(probe),
    request: {
      ...request,
      path: redact(request.path),
      headers: request.headers.map(([name, value]) => [redact(name), redact(value)] as const),
      body: request.body === null ? null : redact(request.body),
    },
  });
  return {
    ...journal,
    append: (record) =>
      journal.append(
        record.type === 'exchange' ? { ...record, exchange: withoutKeys(record.exchange) } : record,
      ),
  };
}

function specOf(row: RequirementId, asked: Asked, { plan, writes }: WorkerOrder): RequestSpec {
  const method = (asked.method ?? 'GET').toUpperCase();
  if (!writes && !SAFE.has(method))
    throw new Unjudgeable(
      outOfScope('writes-off', `“${method} ${asked.path}” may add an animal, and writes are off`),
    );
  const query = new URLSearchParams(
    Object.entries(asked.query ?? {}).map(([name, value]) => [name, String(value)]),
  );
  const path = query.size > 0 ? `${asked.path}?${query.toString()}` : asked.path;
  const body =
    asked.body === undefined || typeof asked.body === 'string' ? asked.body : JSON.stringify(asked.body);
  const given = Object.entries(asked.headers ?? {});
  const hasType = given.some(([name]) => name.toLowerCase() === 'content-type');
  const identity = asked.key === false ? nobody : bearer(plan);
  return {
    probe: `${method} ${path}${asked.key === false ? ', without a key' : ''}`,
    operation: parseRequestTarget({ method, target: path }, '').operation,
    intent: { kind: 'open', row },
    credential: identity.credential,
    method,
    path: plain(path),
    headers: [
      ...(body !== undefined && !hasType ? [['Content-Type', plain('application/json')] as const] : []),
      ...given.map(([name, value]) => [name, plain(value)] as const),
      ...identity.headers,
    ],
    body: body ?? null,
  };
}
