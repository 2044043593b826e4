import { wholeText, type ClientExchange, type Traffic } from '../../wire/exchange/client-exchange.js';
import { statusOf } from '../../wire/exchange/headers.js';
import { inInt64, integerOf, isObject, member, readJson, type Json } from '../../base/kernel/json.js';
import { kept, violated, type Judgement } from '../findings/finding.js';
import { parseRequestTarget } from '../../wire/exchange/request-target.js';
import { readRequest } from './as-read.js';

interface Number64 {
  readonly integer: bigint;
  readonly what: 'id' | 'categoryId';
}

interface Seen extends Number64 {
  readonly exchange: ClientExchange;
}

/**
 * `client-int64`, part 2: an id or categoryId that was received comes back with the same digits.
 *
 * Why it cannot be wrong in the client's disfavour: it is broken only by a number that is exactly the output
 * of a double, or at the reference server of another narrower type, for a number received before, and that no
 * response held. Numbers that the client sent first do not count as received: a response may echo them. It is
 * kept only by a number that a double cannot hold, sent back as received.
 */
export function digitsKept(traffic: Traffic): readonly Judgement[] {
  const { exchanges, basePath, source } = traffic;
  const received = new Map<string, Seen>();
  /** What a double makes of the numbers received. */
  const outputs = new Map<string, Seen>();
  const ownNumbers = new Set<bigint>();
  const numbers = exchanges.map((exchange) => ({
    exchange,
    sent: numbersSent(exchange, traffic),
    got: numbersReceived(exchange, basePath),
  }));
  const everReceived = numbersOfOthers(numbers);
  const judgements: Judgement[] = [];
  for (const { exchange, sent, got } of numbers) {
    for (const { integer, what } of sent) {
      const source = received.get(nameOf({ integer, what }));
      if (source && isSpoilt(integer)) judgements.push(kept([source.exchange, exchange]));
      if (source) continue;
      const rounded = outputs.get(nameOf({ integer, what }));
      // The service answers with what it got: then a recorder changed the request.
      const isGotWhole = got.some((each) => each.what === what && each.integer === rounded?.integer);
      const isRight = isGotWhole || (what === 'id' && isFound(exchange));
      if (rounded && !everReceived.has(integer) && !isRight)
        judgements.push(
          violated(
            [rounded.exchange, exchange],
            `the client changed the digits of the ${rounded.what} it received`,
            {
              expected: `${what} ${rounded.integer}`,
              actual: `${what} ${integer}, the same number in a narrower type`,
            },
          ),
        );
      ownNumbers.add(integer);
    }
    for (const seen of got) {
      if (ownNumbers.has(seen.integer) || received.has(nameOf(seen))) continue;
      received.set(nameOf(seen), seen);
      const narrow = source === 'reference' ? narrowed(seen.integer) : [];
      for (const output of [...outputsOf(seen.integer), ...narrow])
        if (!outputs.has(nameOf({ ...seen, integer: output })))
          outputs.set(nameOf({ ...seen, integer: output }), seen);
    }
  }
  return judgements;
}

/** Names a number with its kind: a client takes no category from an animal's id. */
const nameOf = ({ what, integer }: Number64): string => `${what} ${integer}`;

/** Returns all numbers in responses that the client had not sent before. */
function numbersOfOthers(
  numbers: readonly { readonly sent: readonly Number64[]; readonly got: readonly Number64[] }[],
) {
  const own = new Set<bigint>();
  const others = new Set<bigint>();
  for (const { sent, got } of numbers) {
    for (const { integer } of sent) own.add(integer);
    for (const { integer } of got) if (!own.has(integer)) others.add(integer);
  }
  return others;
}

/** Returns whether the service found an animal: then its id is right, wherever the client had it from. */
const isFound = (exchange: ClientExchange): boolean => statusOf(exchange) === 200;

/**
 * Returns whether a double would change an integer, however a language prints it: 2^53 itself is what 2^53 +
 * 1 becomes, and what recorders that write JSON anew make of both.
 */
const isSpoilt = (integer: bigint): boolean => !formsOf(Number(integer)).includes(integer);

/**
 * Digits that languages print of a double: those that it holds for sure, up to those that identify it (C's
 * `%.17g`).
 */
const PRINTED_DIGITS = [15, 16, 17];

/**
 * Returns what a double makes of an int64: all digits of the double, the fewest that identify it, or as many
 * as a language prints; empty if it stays as it is.
 */
function outputsOf(integer: bigint): readonly bigint[] {
  const double = Number(integer);
  if (BigInt(double) === integer && BigInt(String(double)) === integer) return [];
  return [...new Set(formsOf(double))].filter((output) => output !== integer);
}

/** Returns the integers that languages print of a double. */
const formsOf = (double: number): readonly bigint[] => [
  BigInt(double),
  BigInt(String(double)),
  ...printedWith(PRINTED_DIGITS, double),
];

const printedWith = (all: readonly number[], double: number): readonly bigint[] =>
  all.flatMap((digits) => {
    const reading = readJson(double.toPrecision(digits));
    return (reading.ok ? integerOf(reading.value) : null) ?? [];
  });

/** Digits that Lua's `%.14g` and C's `%g` print. */
const FEWER_DIGITS = [14, 6];

/** Digits that spreadsheets keep of a number; zeros take the place of the others. */
const KEPT_DIGITS = 15;

/**
 * Returns what narrower types make of a number that a double spoils: wrapped to 32 bits or cut to 53, also by
 * way of a double, read as a 32-bit float, or with few digits. Only the ids of the reference server are
 * surely no one else's numbers. What a type holds at its largest value proves nothing: clients send such
 * values on purpose.
 */
function narrowed(integer: bigint): readonly bigint[] {
  if (!isSpoilt(integer)) return [];
  const double = Number(integer);
  const wrapped = [integer, BigInt(double)].flatMap((each) => [
    BigInt.asIntN(32, each),
    BigInt.asUintN(32, each),
    BigInt.asUintN(53, each),
  ]);
  const lost = 10n ** BigInt(String(integer).length - KEPT_DIGITS);
  return [
    ...wrapped,
    BigInt(Math.fround(double)),
    integer - (integer % lost),
    ...printedWith(FEWER_DIGITS, double),
  ];
}

function numbersSent(exchange: ClientExchange, facts: Traffic): readonly Number64[] {
  if (exchange.origin !== undefined) return [];
  const { id, categoryId } = readRequest(exchange, facts);
  return [
    ...(id === null ? [] : [{ integer: id, what: 'id' } as const]),
    ...(categoryId === null ? [] : [{ integer: categoryId, what: 'categoryId' } as const]),
  ];
}

function numbersReceived(exchange: ClientExchange, basePath: string): readonly Seen[] {
  const status = statusOf(exchange);
  const { operation } = parseRequestTarget(exchange.request, basePath);
  if (exchange.origin !== undefined || operation === null || (status !== 200 && status !== 201)) return [];
  if (exchange.answer.kind === 'none') return [];
  const text = wholeText(exchange.answer.body);
  const body = text !== null && MAY_BE_LARGE.test(text) ? valueOf(text) : undefined;
  const pets = Array.isArray(body) ? (body as readonly Json[]) : [body];
  return pets.flatMap((pet) =>
    (['id', 'categoryId'] as const).flatMap((what) => {
      const integer = isObject(pet) ? integerOf(member(pet, what)) : null;
      return integer === null || !inInt64(integer) ? [] : [{ integer, what, exchange }];
    }),
  );
}

/**
 * A response that may hold an integer beyond 2^53: sixteen digits, or a notation that hides them. Others are
 * not read.
 */
const MAY_BE_LARGE = /\d{16}|\d[.eE]/;

function valueOf(text: string): Json | undefined {
  const reading = readJson(text);
  return reading.ok ? reading.value : undefined;
}
