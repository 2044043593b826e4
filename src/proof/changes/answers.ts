import type { BanHabits, Change, Context, RateFigures } from '../../reference/behaviour.js';
import { after, always, seams, type Which } from './requests.js';
import { isObject, type Json, type JsonObject } from '../../reference/json.js';
import {
  type Answer,
  type Header,
  RATE_HEADERS,
  type Wire,
  withHeader,
  withoutHeader,
} from '../../reference/messages.js';
import type { Algorithm } from '../../reference/limiter.js';

/** Changes complete responses with their rate headers. */
export const onAnswers = (which: Which, alter: (answer: Answer, context: Context) => Answer): Change =>
  after('finish', (answer, _unfinished, context) =>
    which(context, answer) ? alter(answer, context) : answer,
  );

export const answeredWith = (which: Which, status: number): Change =>
  onAnswers(which, (answer) => restated(answer, status));

export const onJson = (which: Which, alter: (value: Json, context: Context) => Json): Change =>
  onAnswers(which, (answer, context) =>
    answer.body.kind === 'json'
      ? { ...answer, body: { ...answer.body, value: alter(answer.body.value, context) } }
      : answer,
  );

export const onObject = (which: Which, alter: (value: JsonObject, context: Context) => Json): Change =>
  onJson(which, (value, context) => (isObject(value) ? alter(value, context) : value));

/** Sets a member of an object, or removes it with `undefined`. */
export const setting =
  (name: string, to: Json | undefined | ((value: Json | undefined) => Json | undefined)) =>
  (object: JsonObject): JsonObject => {
    const value = typeof to === 'function' ? to(object[name]) : to;
    if (value !== undefined) return { ...object, [name]: value };
    return Object.fromEntries(Object.entries(object).filter(([other]) => other !== name));
  };

/** Returns the response with another status code, also in an Error. */
export const restated = (answer: Answer, status: number): Answer => {
  const { body } = answer;
  // A variant may have written the JSON as text already.
  if (body.kind === 'text') {
    const own = new RegExp(`("status"\\s*:\\s*)${answer.status}\\b`);
    return { ...answer, status, body: { ...body, text: body.text.replace(own, `$1${status}`) } };
  }
  const follows = body.kind === 'json' && isObject(body.value) && body.value['status'] === answer.status;
  return { ...answer, status, body: follows ? { kind: 'json', value: { ...body.value, status } } : body };
};

export const asText = (answer: Answer, text: string, mediaType: string | null): Answer => ({
  ...answer,
  body: { kind: 'text', text, mediaType },
});

export const labelled = (answer: Answer, mediaType: string): Answer =>
  answer.body.kind === 'json' ? { ...answer, body: { ...answer.body, mediaType } } : answer;

const emptied = (answer: Answer): Answer => ({ ...answer, body: { kind: 'none' } });

export const emptying = (which: Which, status?: number, location?: string): Change =>
  onAnswers(which, (answer) => {
    const empty = { ...emptied(answer), status: status ?? answer.status };
    return location === undefined ? empty : withHeader(empty, 'Location', location);
  });

/** Changes a header of the selected responses; null removes it. */
export const onHeader = (
  name: string,
  alter: (value: string, context: Context) => string | null,
  which: Which = always,
): Change =>
  onAnswers(which, (answer, context) => ({
    ...answer,
    headers: answer.headers.flatMap(([other, value]) => {
      const altered = other === name ? alter(value, context) : value;
      return altered === null ? [] : [[other, altered] as const];
    }),
  }));

export const headed = (which: Which, ...headers: readonly Header[]): Change =>
  onAnswers(which, (answer) =>
    headers.reduce((more, [name, value]) => withHeader(more, name, value), answer),
  );

export const removing = (name: string, which: Which): Change => onHeader(name, () => null, which);

export const onWire = (alter: (wire: Wire, context: Context) => Wire): Change =>
  after('transport', (wire, _before, context) => alter(wire, context));

export const bare = (which: Which): Change =>
  onAnswers(which, (answer) => RATE_HEADERS.reduce(withoutHeader, answer));

export const onFigures = (alter: (figures: RateFigures, context: Context) => RateFigures): Change =>
  seams(({ rateHeaders }) => ({
    rateHeaders: (figures, context) => rateHeaders(alter(figures, context), context),
  }));

export const limitedBy = (minuteAlgorithm: Algorithm): Change => seams({ minuteAlgorithm });

export const banning = (alter: Partial<BanHabits>): Change =>
  after('ban', (habits) => habits && { ...habits, ...alter });
