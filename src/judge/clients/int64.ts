import { statusReceived, wholeText, type ClientExchange, type Traffic } from '../../wire/exchange/client-exchange.js';
import { inInt64, integerOf, isObject, member, readJson, type Json } from '../../base/kernel/json.js';
import { kept, violated, type Judgement } from '../findings/finding.js';
import { parseRequestTarget } from '../../wire/exchange/request-target.js';

/** An integer in a message, and the message. */
interface Seen {
  readonly integer: bigint;
  readonly what: 'id' | 'categoryId';
  readonly exchange: ClientExchange;
}

/**
 * `client-int64`, part 2: an id or categoryId that was received comes back with the same digits.
 *
 * Why it cannot be wrong in the client's disfavour: it is broken only by a number that is exactly a double's output for a number
 * received before, and that no response held. Numbers that the client sent first do not count as received: a response may echo
 * them. It is kept only by a number that a double cannot hold, sent back as received.
 */
export function digitsKept({ exchanges, basePath }: Traffic): readonly Judgement[] {
  const received = new Map<bigint, Seen>();
  /** What a double makes of the numbers received. */
  const outputs = new Map<bigint, Seen>();
  const ownNumbers = new Set<bigint>();
  const everReceived = numbersOfOthers(exchanges, basePath);
  const judgements: Judgement[] = [];
  for (const exchange of exchanges) {
    for (const { integer, what } of numbersSent(exchange, basePath)) {
      const source = received.get(integer);
      if (source && isSpoilt(integer)) judgements.push(kept([source.exchange, exchange]));
      if (source) continue;
      const rounded = outputs.get(integer);
      if (rounded && !everReceived.has(integer) && !(what === 'id' && isFound(exchange)))
        judgements.push(
          violated([rounded.exchange, exchange], `the client changed the digits of the ${rounded.what} it received`, {
            expected: `${what} ${rounded.integer}`,
            actual: `${what} ${integer}, the same number rounded to a double`,
          }),
        );
      ownNumbers.add(integer);
    }
    for (const seen of numbersReceived(exchange, basePath)) {
      if (ownNumbers.has(seen.integer) || received.has(seen.integer)) continue;
      received.set(seen.integer, seen);
      for (const output of outputsOf(seen.integer)) if (!outputs.has(output)) outputs.set(output, seen);
    }
  }
  return judgements;
}

/** Returns all numbers in responses that the client had not sent before. */
function numbersOfOthers(exchanges: readonly ClientExchange[], basePath: string): ReadonlySet<bigint> {
  const own = new Set<bigint>();
  const others = new Set<bigint>();
  for (const exchange of exchanges) {
    for (const { integer } of numbersSent(exchange, basePath)) own.add(integer);
    for (const { integer } of numbersReceived(exchange, basePath)) if (!own.has(integer)) others.add(integer);
  }
  return others;
}

/** Returns whether the service found an animal: then its id is right, wherever the client had it from. */
const isFound = (exchange: ClientExchange): boolean => statusReceived(exchange) === 200;

/** Returns whether a double would change an integer: 2^53 itself is what 2^53 + 1 becomes. */
const isSpoilt = (integer: bigint): boolean => outputsOf(integer).length > 0;

/** Digits that languages print of a double: those that it holds for sure, up to those that identify it (C's `%.17g`). */
const PRINTED_DIGITS = [15, 16, 17];

/**
 * Returns what a double makes of an int64: all digits of the double, the fewest that identify it, or as many as a language
 * prints; empty if it stays as it is.
 */
function outputsOf(integer: bigint): readonly bigint[] {
  const double = Number(integer);
  const [whole, shortest] = [BigInt(double), BigInt(String(double))];
  if (whole === integer && shortest === integer) return [];
  const printed = PRINTED_DIGITS.flatMap((digits) => {
    const reading = readJson(double.toPrecision(digits));
    return (reading.ok ? integerOf(reading.value) : null) ?? [];
  });
  return [...new Set([whole, shortest, ...printed])].filter((output) => output !== integer);
}

function numbersSent(exchange: ClientExchange, basePath: string): readonly Omit<Seen, 'exchange'>[] {
  const { operation, petId } = parseRequestTarget(exchange.request, basePath);
  if (exchange.origin !== undefined) return [];
  if (operation === 'getPet') {
    const integer = integerOf(valueOf(petId));
    return integer === null ? [] : [{ integer, what: 'id' }];
  }
  if (operation !== 'createPet') return [];
  const body = valueOf(wholeText(exchange.request.body));
  const integer = isObject(body) ? integerOf(member(body, 'categoryId')) : null;
  return integer === null ? [] : [{ integer, what: 'categoryId' }];
}

/** Returns the ids and categories in a success's body. */
function numbersReceived(exchange: ClientExchange, basePath: string): readonly Seen[] {
  const status = statusReceived(exchange);
  const { operation } = parseRequestTarget(exchange.request, basePath);
  if (exchange.origin !== undefined || operation === null || (status !== 200 && status !== 201)) return [];
  if (exchange.answer.kind === 'none') return [];
  const body = valueOf(wholeText(exchange.answer.body));
  const pets = Array.isArray(body) ? (body as readonly Json[]) : [body];
  return pets.flatMap((pet) =>
    (['id', 'categoryId'] as const).flatMap((what) => {
      const integer = isObject(pet) ? integerOf(member(pet, what)) : null;
      return integer === null || !inInt64(integer) ? [] : [{ integer, what, exchange }];
    }),
  );
}

/** Text that may hold an integer beyond 2^53: sixteen digits, or a notation that hides them. Others are not worth reading. */
const MAY_BE_LARGE = /\d{16}|\d[.eE]/;

function valueOf(text: string | null): Json | undefined {
  const reading = text === null || !MAY_BE_LARGE.test(text) ? null : readJson(text);
  return reading?.ok ? reading.value : undefined;
}
