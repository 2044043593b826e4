import { grouped } from '../../base/kernel/format.js';
import {
  filesUnread,
  keyName,
  shownExchange,
  wholeText,
  type ClientExchange,
  type Traffic,
  type TrafficFacts,
} from '../../wire/exchange/client-exchange.js';
import { statusOf } from '../../wire/exchange/headers.js';
import { lacksHeaders } from '../clients/as-read.js';
import { isStripped } from '../clients/places.js';
import { parseRequestTarget } from '../../wire/exchange/request-target.js';
import type { OperationName, RequirementId } from '../../base/interface/types.js';
import { about, outOfScope, unestablished, type Finding } from '../findings/finding.js';
import { BODY_ROWS } from '../checks/passive.js';
import { animalsOf } from '../checks/pets.js';
import { judging } from '../checks/judging.js';
import { isOfService, judgeExchange, type Known, type Manner } from './judge-exchange.js';
import { newAnimals } from './known-animals.js';
import { remainingCounts, servedOf } from './remaining.js';
import { TRAFFIC_ROWS } from './rows.js';
import { tallyOf } from './tally.js';

/** Judges the service by one record as it comes. */
interface ServiceJudge {
  /** Judges one exchange; nothing of its bodies is kept. */
  add(exchange: ClientExchange): void;
  /**
   * Returns what the record shows, at its end. A row that it does not show has no finding.
   *
   * @param exchanges those of the record, with their times, which some records show only at their end
   */
  findings(exchanges: readonly ClientExchange[]): readonly Finding[];
}

/** Pure. A row that no record shows is not applicable. */
export function judgeService(records: readonly Traffic[]): readonly Finding[] {
  return withRowsNotShown(
    records.flatMap((record) => {
      const judge = serviceJudge(record);
      for (const exchange of record.exchanges) judge.add(exchange);
      return judge.findings(record.exchanges);
    }),
  );
}

export function withRowsNotShown(findings: readonly Finding[]): readonly Finding[] {
  const shown = new Set<RequirementId>(
    findings.flatMap(({ kind, requirement }) =>
      kind === 'kept' || kind === 'violated' || kind === 'inconclusive' ? [requirement] : [],
    ),
  );
  return [
    ...findings,
    ...[...TRAFFIC_ROWS].flatMap(([row, why]) =>
      shown.has(row) ? [] : [about(row, outOfScope('not-observed', why))],
    ),
  ];
}

/** Judges one record of traffic exchange by exchange: a record of any length needs little memory. */
export function serviceJudge(facts: TrafficFacts): ServiceJudge {
  const tools = judging();
  const animals = newAnimals();
  const always = tallyOf<Known>();
  // Whether a record lost its keys shows at its end.
  const byManner = { 'with key': tallyOf<Known>(), 'without key': tallyOf<Known>() };
  const keys = new Map<string, { isServed: boolean; isRefused: boolean }>();
  let hasCreated = false;
  /** Rows of exchanges whose bodies are in files that were not read, with the first of these. */
  const unread = new Map<RequirementId, Finding>();

  const learn = (exchange: ClientExchange): void => {
    const { operation } = parseRequestTarget(exchange.request, facts.basePath);
    const status = statusOf(exchange);
    if (operation === null || !isOfService(exchange) || status === null) return;
    const name = keyName(exchange.credential.key);
    const isSuccess = isServed(exchange, facts);
    if (operation === 'createPet' && status === 201) hasCreated = true;
    if (isSuccess && exchange.answer.kind === 'response' && wholeText(exchange.answer.body) !== null)
      animals.learn(animalsOf(shownExchange(exchange, facts)));
    if (name === null) return;
    const key = keys.get(name) ?? { isServed: false, isRefused: false };
    keys.set(name, key);
    if (status === 429) key.isRefused = true;
    if (isSuccess) key.isServed = true;
  };

  return {
    add(exchange) {
      for (const finding of unreadIn(exchange, facts))
        if (!unread.has(finding.requirement)) unread.set(finding.requirement, finding);
      const key = keys.get(keyName(exchange.credential.key) ?? '');
      const before = { animals, mayBeBanned: !(key?.isServed && !key.isRefused) };
      const readings = mannersOf(exchange, facts);
      for (const manner of readings) {
        const isOpen = readings.length > 1 || lacksHeaders(exchange, facts);
        const tally = isOpen && manner !== 'unsure of a key' ? byManner[manner] : always;
        for (const shown of judgeExchange(exchange, facts, before, tools, manner)) tally.add(shown);
      }
      learn(exchange);
    },
    findings(exchanges) {
      const known: Known = { animals, hasCreated };
      const served = exchanges.flatMap((each) => (isServed(each, facts) ? (servedOf(each) ?? []) : []));
      const ofKeys = [...grouped(served, ({ key }) => key).values()].flatMap(remainingCounts);
      return [
        ...unread.values(),
        ...always.findings(known),
        ...byManner[isStripped({ ...facts, exchanges }) ? 'with key' : 'without key'].findings(known),
        ...ofKeys.map((judgement) => about('rate-remaining-counts', judgement)),
      ];
    },
  };
}

/** Rows that a body shows, by the operation; those of an Error for a refusal. */
const ROWS_OF_BODY: Readonly<Record<OperationName, readonly RequirementId[]>> = {
  listPets: ['json-media-type', 'pets-array', 'pet-shape', 'pet-int64', 'pet-id-unique'],
  createPet: ['json-media-type', 'pet-shape', 'pet-int64', 'created-pet-echo'],
  getPet: ['json-media-type', 'pet-shape', 'pet-int64', 'get-ok'],
};
const ROWS_OF_ERROR = BODY_ROWS.filter((row) => !/^pets?-/.test(row));

/** Returns what bodies in files that were not read leave open: a body that is not known may break a row. */
function unreadIn(
  exchange: ClientExchange,
  { basePath }: Pick<TrafficFacts, 'basePath'>,
): readonly Finding[] {
  const { operation } = parseRequestTarget(exchange.request, basePath);
  const { request, answer } = filesUnread(exchange);
  if (operation === null || !isOfService(exchange)) return [];
  const ofAnswer = (statusOf(exchange) ?? 0) < 400 ? ROWS_OF_BODY[operation] : ROWS_OF_ERROR;
  return [
    ...(answer === null ? [] : ofAnswer.map((row) => [row, answer] as const)),
    ...(request === null ? [] : [['created-pet-echo', request] as const]),
  ].map(([row, why]) => about(row, unestablished('file-missing', `a body is not known: ${why}`, [exchange])));
}

/** Names of headers and parameters that may carry a credential of another scheme. */
const MAY_BE_KEY = /auth|token|key|secret|cookie|session/i;

/**
 * Returns how a request may be read. Without any credential a HAR file may have lost it, which shows only at
 * its end. A key in another place than the bearer token's may be refused or served: only what holds for every
 * response is judged.
 */
function mannersOf(exchange: ClientExchange, { source }: Pick<TrafficFacts, 'source'>): readonly Manner[] {
  const { credential, request } = exchange;
  if (credential.key.kind !== 'none')
    return [credential.bearer || credential.key.kind === 'masked' ? 'with key' : 'unsure of a key'];
  // Where other requests of the record have a key, this one may have had none.
  if (lacksHeaders(exchange, { source })) return ['with key'];
  const [, query = ''] = request.target.split('?');
  const mayHaveKey =
    request.headers.some(([name]) => MAY_BE_KEY.test(name)) ||
    [...new URLSearchParams(query).keys()].some((name) => MAY_BE_KEY.test(name));
  if (mayHaveKey) return ['unsure of a key'];
  return source === 'har' ? ['with key', 'without key'] : ['without key'];
}

function isServed(exchange: ClientExchange, { basePath }: Pick<TrafficFacts, 'basePath'>): boolean {
  const status = statusOf(exchange);
  const { operation } = parseRequestTarget(exchange.request, basePath);
  return exchange.origin === undefined && operation !== null && (status === 200 || status === 201);
}
