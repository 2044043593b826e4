import { header } from '../../wire/exchange/headers.js';
import {
  keyName,
  nameOfRequest,
  spanOf,
  type ClientExchange,
  type Traffic,
} from '../../wire/exchange/client-exchange.js';
import { kept, observed, violated, type Judgement } from '../findings/finding.js';
import { lacksHeaders } from './as-read.js';
import { loadContract } from '../../base/interface/contract.js';
import { parseRequestTarget } from '../../wire/exchange/request-target.js';
import { removalPhaseAt } from '../../base/interface/removal-phase.js';
import { counted, listed } from '../../base/kernel/format.js';

/** Returns whether a request used a key, known or masked. */
const hasKey = ({ credential: { key } }: ClientExchange): boolean =>
  key.kind !== 'none' && key.kind !== 'unset';

/**
 * Returns whether every credential was removed from a record, as some recorders and browsers do. A service
 * that refused everything with 401 got none.
 */
export function isStripped(traffic: Omit<Traffic, 'end'>): boolean {
  const { exchanges, source } = traffic;
  const all = exchanges.filter((exchange) => isOfClient(exchange, traffic));
  return (
    source === 'har' &&
    exchanges.every((each) => !hasKey(each) && header(each.request.headers, 'authorization') === null) &&
    !(all.length > 0 && all.every(({ answer }) => answer.kind === 'response' && answer.status === 401))
  );
}

/**
 * Returns whether a request is the client's part of the interface: a declared operation, or anything with a
 * key.
 */
const isOfClient = (exchange: ClientExchange, { basePath }: Pick<Traffic, 'basePath'>): boolean => {
  const { operation, belowBase } = parseRequestTarget(exchange.request, basePath);
  return exchange.origin === undefined && (operation !== null || (belowBase && hasKey(exchange)));
};

const showsKey = ({ credential: { key, bearer } }: ClientExchange): boolean =>
  bearer && (key.kind === 'plan' || key.kind === 'other');

/**
 * `client-bearer-key`, part 5, 1: each request carries the key as a bearer token, and nowhere else.
 *
 * Why it cannot be wrong in the client's disfavour: it reads what arrived. A key counts elsewhere only as a
 * whole. A masked or unknown token may be a key, so it breaks nothing. Health checks and pages without a key
 * are not judged, and in a record from which every key was removed nothing is. In a record in which no key
 * can be read, a request that the service accepted shows nothing, nor does a refused one whose Authorization
 * is as unreadable: how sanitisers write is in no list. A request without any recorded header may have had a
 * key. `undefined` and the like in the place of a key break it where the service refused them with 401, and
 * accepted the same text nowhere: a recorder could have written it.
 */
export function keyIsBearer(traffic: Traffic): readonly Judgement[] {
  const { exchanges, source, basePath } = traffic;
  const all = exchanges.filter((exchange) => isOfClient(exchange, traffic));
  if (isStripped(traffic)) return [];
  const hidesKeys = source === 'har' && !exchanges.some(showsKey);
  // Without a single known key the client was not configured, whatever it sent instead. Otherwise it may test a wrong key.
  const isConfigured = source !== 'reference' || all.some(({ credential: { key } }) => key.kind === 'plan');
  const accepted = new Set(
    all.flatMap(({ credential: { key }, ...each }) =>
      key.kind === 'unset' && isAccepted(each) ? [key.text] : [],
    ),
  );
  // A service that accepts one has none of another form: what is unreadable was written by the recorder.
  const hidesInOwnForm = hidesKeys && all.some((each) => isUnreadable(each) && isAccepted(each));
  return all.flatMap((exchange): Judgement[] => {
    if (hidesKeys && isAccepted(exchange)) return [];
    if (hidesInOwnForm && isUnreadable(exchange)) return [];
    const { key, bearer, elsewhere } = exchange.credential;
    const name = nameOfRequest(exchange, basePath);
    const expected = 'Authorization: Bearer <key>, and the key nowhere else';
    // A token that the service did not accept may be a wrong one that a test sends.
    if (elsewhere.length > 0 && (key.kind !== 'other' || isAccepted(exchange)))
      return [
        violated([exchange], `the client sent the key in ${listed(elsewhere)}: “${name}”`, { expected }),
      ];
    if (key.kind === 'none' && lacksHeaders(exchange, traffic)) return [];
    if (key.kind === 'none')
      return [
        violated([exchange], `the client sent “${name}” without its key`, { expected, actual: 'no key' }),
      ];
    if (key.kind === 'masked') return [];
    if (key.kind === 'unset')
      return [
        (isUnauthorised(exchange) && !accepted.has(key.text)) || !isConfigured
          ? violated([exchange], `the client sent “Bearer ${key.text}” for “${name}”: its key was not set`, {
              expected,
              actual: key.text,
            })
          : observed([exchange], `“Bearer ${key.text}” in the place of a key`, 'keys'),
      ];
    if (key.kind === 'other' && !isConfigured)
      return [
        violated([exchange], `the client sent “${name}” with a token that is not its key`, { expected }),
      ];
    // A token that the service accepted is a key, known here or not.
    if (key.kind === 'other' && source !== 'reference' && isAccepted(exchange))
      return bearer ? [kept([exchange])] : [];
    if (key.kind === 'other')
      return [observed([exchange], 'a token that is not a key of the target', 'keys')];
    return bearer ? [kept([exchange])] : [];
  });
}

/**
 * `client-not-deprecated`, parts 4 and 9: `GET /pets/{petId}` is not called. A warning until the removal, by
 * the record's date.
 *
 * Why it cannot be wrong in the client's disfavour: only method and path of the request decide. Other paths
 * below `/pets/` and other methods are outside the interface.
 */
export function avoidsDeprecated(traffic: Traffic): readonly Judgement[] {
  const all = traffic.exchanges.filter((exchange) => isOfClient(exchange, traffic));
  const calls = all.filter(
    ({ request }) => parseRequestTarget(request, traffic.basePath).operation === 'getPet',
  );
  if (calls.length === 0) return all.length > 0 ? [kept(all)] : [];
  const callers = [...new Set(calls.map((call) => callerOf(call)))];
  const { removalDate } = loadContract();
  const isRemoved = calls.some(
    (call) => removalPhaseAt(removalDate, spanOf(call.times)?.from ?? 0) === 'after',
  );
  const judgement = violated(
    calls,
    `the client called GET /pets/{petId} (${listed(callers)}); ` +
      (isRemoved ? `it was removed on ${removalDate}` : `it will be removed on ${removalDate}`),
    { expected: 'GET /pets with the status filter', actual: counted(calls.length, 'request') },
  );
  // The day of the judgement decides how strict the row is, and a record may be older.
  return [isRemoved || judgement.kind !== 'violated' ? judgement : { ...judgement, warns: true }];
}

const callerOf = (exchange: ClientExchange): string => {
  const agent = header(exchange.request.headers, 'user-agent') ?? 'no User-Agent';
  return [agent, keyName(exchange.credential.key)].filter((each) => each !== null).join(', ');
};

/**
 * `client-base-path`, part 9: what goes to the service's origin with the key goes below the base path.
 *
 * Why it cannot be wrong in the client's disfavour: requests without the key may be anyone's and are not
 * judged; any path below the base path is right.
 */
export const staysBelowBase = (traffic: Traffic): readonly Judgement[] =>
  traffic.exchanges
    .filter((exchange) => exchange.origin === undefined && hasKey(exchange))
    .map((exchange) =>
      parseRequestTarget(exchange.request, traffic.basePath).belowBase
        ? kept([exchange])
        : violated(
            [exchange],
            `the client sent “${nameOfRequest(exchange, traffic.basePath)}”, which is not below the base path`,
            { expected: `a path below ${traffic.basePath}`, actual: exchange.request.target },
          ),
    );

const isAccepted = ({ answer }: Pick<ClientExchange, 'answer'>): boolean =>
  answer.kind === 'response' && answer.status !== 401 && answer.status !== 403;

/** Returns whether a request has a credential that is no bearer token, known key or mask. */
const isUnreadable = ({ credential: { key }, request }: ClientExchange): boolean =>
  key.kind === 'none' && header(request.headers, 'authorization') !== null;

const isUnauthorised = ({ answer }: Pick<ClientExchange, 'answer'>): boolean =>
  answer.kind === 'response' && answer.status === 401;

/**
 * `client-key-stays` (RFC 6750, 5.3): the key goes to no other origin after a redirect, and not over plain
 * http to another machine.
 *
 * Why it cannot be wrong in the client's disfavour: only a known key, or a token that the service accepted,
 * whole and at an origin to which a redirect of the record led, breaks it. Another origin may be a service of
 * the same token. A masked token, or one that the service never got, may belong to that origin. It is kept
 * only where a redirect led there, and the record shows what came of it: the proxy sees only where its own
 * redirects lead, and a recorder that removes keys removes them everywhere.
 */
export function keyStays(traffic: Traffic): readonly Judgement[] {
  const { exchanges, source, insecure } = traffic;
  const atService = exchanges.filter(({ origin }) => origin === undefined);
  const ours = new Set(
    atService
      .filter((each) => each.credential.key.kind === 'plan' || isAccepted(each))
      .flatMap((each) => nameOfKey(each)),
  );
  const leaked = exchanges.filter(
    (each) =>
      each.origin !== undefined &&
      isLedTo(each.origin, exchanges) &&
      (each.credential.key.kind === 'plan' || nameOfKey(each).some((name) => ours.has(name))),
  );
  if (leaked.length > 0)
    return [
      violated(leaked, `the client sent the key to another origin, ${leaked[0]?.origin}`, {
        expected: 'the key at the service only',
        actual: counted(leaked.length, 'request'),
      }),
    ];
  const exposed = insecure === true ? atService.filter((each) => hasKey(each)) : [];
  if (exposed.length > 0)
    return [
      violated(exposed, 'the client sent the key over plain http to another machine', {
        expected: 'https',
        actual: 'http',
      }),
    ];
  const redirects = exchanges.filter(
    (each) =>
      elsewhereIn(each) !== null &&
      (source !== 'proxy' || each.byProxy === true) &&
      (source !== 'har' || showsKey(each)),
  );
  return redirects.length > 0 ? [kept(redirects)] : [];
}

/** Returns the name of a key that differs from others; a mask hides which it was. */
function nameOfKey({ credential: { key } }: ClientExchange): readonly string[] {
  const name = key.kind === 'masked' ? null : keyName(key);
  return name === null ? [] : [name];
}

/** Returns the address at another origin to which a response redirects; null for none. */
function elsewhereIn({ answer }: ClientExchange): string | null {
  if (answer.kind === 'none' || answer.status < 300 || answer.status > 399) return null;
  const location = header(answer.headers, 'location') ?? '';
  return /^(?:https?:)?\/\//i.test(location) ? location : null;
}

/** Returns whether a redirect led to an origin, perhaps by way of others. */
const isLedTo = (origin: string, exchanges: readonly ClientExchange[]): boolean =>
  exchanges.some((each) => {
    const location = elsewhereIn(each);
    return location !== null && URL.canParse(location, origin) && new URL(location, origin).origin === origin;
  });
