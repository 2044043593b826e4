import type { Change, Context } from '../behaviour.js';
import { isOperation, onAnswers, restated, seams, sentMembers } from '../changes.js';
import { isObject, member, readJson, type Json, type JsonObject } from '../json.js';
import { read } from '../messages.js';

/** What the flaws about refused creations are built from. */

/** Refuses some creations with another status than 400. */
export const refusingWith = (status: number, which: (context: Context) => boolean): Change =>
  onAnswers(
    (answer, context) => answer.status === 400 && isOperation(context, 'createPet') && which(context),
    (answer) => restated(answer, status),
  );

/** Reads one more kind of body, as the object that it is taken for. */
export const reading = (accepts: (text: string, value: Json | undefined) => JsonObject | undefined): Change =>
  seams(({ readBody }) => ({
    readBody: (text) => {
      const taken = accepts(text, readJson(text));
      return taken === undefined ? readBody(text) : read(taken);
    },
  }));

/** What a careless server makes of a body that says nothing. */
export const UNNAMED = readJson('{"name":"unnamed","categoryId":1}') as JsonObject;

/** Whether a body is an object without a member. */
export const lacks = (context: Context, name: string) =>
  isJsonObject(context) && member(sentMembers(context), name) === undefined;

/** Whether a body is a JSON object. */
export const isJsonObject = ({ request }: Context) => isObject(readJson(request.body));

/** Whether a body is there and no JSON. */
export const isBroken = ({ request }: Context) => request.body.trim() !== '' && readJson(request.body) === undefined;

/** Whether there is no body, or a blank one. */
export const isBodiless = ({ request }: Context) => request.body.trim() === '';

/** Whether a body has all that a NewPet must have. */
export const hasAll = (context: Context) =>
  isJsonObject(context) && !lacks(context, 'name') && !lacks(context, 'categoryId');

/** Whether a value is a string. */
export const isText = (value: Json | undefined) => typeof value === 'string';
