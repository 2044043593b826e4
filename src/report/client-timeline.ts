import { nameOfRequest, spanOf } from '../wire/exchange/client-exchange.js';
import { answerHeader, statusOf } from '../wire/exchange/headers.js';
import { duration } from '../base/kernel/format.js';
import type { Refusal } from '../judge/clients/refusals.js';
import type { HeldRequest } from '../judge/clients/held-request.js';
import { restsByKey } from '../judge/clients/rests.js';
import { shortfall } from '../judge/clients/waiting.js';
import type { LoggedTraffic } from '../log/run-log.js';

/** A request on a time line. `early`: certainly before the end of a refusal's rest. */
export interface Mark {
  readonly exchange: string;
  /** ms after the record's first request. */
  readonly atMs: number;
  readonly status: number | null;
  readonly state: 'served' | 'refused' | 'early' | 'other';
  /** `GET /pets?limit=5`. */
  readonly name: string;
  /** True at another origin than the service's. */
  readonly elsewhere: boolean;
}

/** The time in which a key had to rest. */
export interface Rest {
  readonly fromMs: number;
  readonly toMs: number;
  readonly retryAfter: string;
}

export interface Timeline {
  readonly name: string;
  readonly marks: readonly Mark[];
  readonly rests: readonly Rest[];
  /** Time that the line covers, ms; at least 1. */
  readonly spanMs: number;
  /** What the waits show, a sentence each, without a full stop. */
  readonly remarks: readonly string[];
  /** How the command ended, in words; null without a command. */
  readonly ending: string | null;
}

const MOST_REMARKS = 4;

/** The same rests as the verdict. */
export function timelineOf(record: LoggedTraffic): Timeline {
  const rests = restsByKey(record);
  const held = new Map(rests.flatMap((each) => each.held).map((each) => [each.request.exchange.id, each]));
  const refusals = rests.flatMap((each) => each.refusals);
  const times = record.exchanges.map((exchange) => ({ exchange, at: spanOf(exchange.times)?.from ?? null }));
  const start = times.reduce((least, { at }) => Math.min(least, at ?? least), Number.POSITIVE_INFINITY);
  const marks = times
    .flatMap(({ exchange, at }): Mark[] => {
      if (at === null) return [];
      const status = statusOf(exchange);
      const isEarly = held.get(exchange.id)?.state === 'early';
      return [
        {
          exchange: exchange.id,
          atMs: at - start,
          status,
          state: isEarly
            ? 'early'
            : status === 429
              ? 'refused'
              : status !== null && status < 300
                ? 'served'
                : 'other',
          name: nameOfRequest(exchange, record.basePath),
          elsewhere: exchange.origin !== undefined,
        },
      ];
    })
    .toSorted((one, other) => one.atMs - other.atMs);
  const shown = refusals.flatMap((refusal) => restOfRefusal(refusal, start));
  const spanMs = [...marks.map(({ atMs }) => atMs), ...shown.map(({ toMs }) => toMs)].reduce(
    (most, at) => Math.max(most, at),
    1,
  );
  return {
    name: record.scenario ?? 'traffic',
    marks,
    rests: shown,
    spanMs,
    remarks: [...held.values()].flatMap(remarkOn).slice(0, MOST_REMARKS),
    ending: endingOf(record),
  };
}

function restOfRefusal({ exchange, timing, restMs }: Refusal, start: number): readonly Rest[] {
  if (restMs === null || restMs <= 0) return [];
  const fromMs = timing.earliestWritten - start;
  return [{ fromMs, toMs: fromMs + restMs, retryAfter: answerHeader(exchange, 'retry-after') ?? '' }];
}

function remarkOn(each: HeldRequest): readonly string[] {
  const { state, waitedMs, against, repeats } = each;
  const rest = duration(against.restMs ?? 0);
  if (state === 'kept' && repeats) return [`waited ${duration(waitedMs)} of ${rest}`];
  if (state !== 'early') return [];
  const what = repeats ? 'sent again' : 'used the key';
  return [`${what} after ${duration(waitedMs)} of ${rest}: ${duration(shortfall(each))} too early`];
}

function endingOf({ command, end }: LoggedTraffic): string | null {
  if (command === null) return null;
  if (command.timedOut === true) return 'ended after its time was over';
  return end?.finished === false
    ? 'ended by the run'
    : command.exitCode === undefined
      ? 'ended by a signal'
      : `exit code ${command.exitCode}`;
}
