import type { Flaw } from '../../reference/index.js';
import type { Asked } from '../asking.js';
import type { RequirementId } from '../../contract/types.js';
import { isObject, readJson, writeJson, type Json } from '../../reference/json.js';
import { walk } from '../walking.js';
import { interplaysOf } from './interplays/index.js';
import { membersOf, type Server } from './servers.js';

/** A value with its members in one order, which is free (RFC 8259 section 4). */
function inOrder(value: Json): Json {
  if (Array.isArray(value)) return value.map(inOrder);
  if (!isObject(value)) return value;
  const members = Object.entries(value).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, inOrder(member)]));
}

/** One line of the walk with the text of its answer in one order; numbers keep their digits. */
function ordered(line: string): string {
  const seen = JSON.parse(line) as unknown;
  if (typeof seen !== 'object' || seen === null || !('text' in seen) || typeof seen.text !== 'string') return line;
  const value = readJson(seen.text);
  return value === undefined ? line : JSON.stringify({ ...seen, text: writeJson(inOrder(value)) });
}

/** Whether a line of the walk is of what no operation of the interface answers. */
const isBeside = (line: string): boolean => line.startsWith('{"beside":');

/** What a server answers on the walk to requests of the interface, line by line. */
async function transcriptOf(server: Server): Promise<readonly string[]> {
  const lines: string[] = [];
  const asOf = membersOf(server).find((member) => member.asOf !== undefined)?.asOf;
  await walk(server, asOf, (line) => lines.push(isBeside(line) ? '' : ordered(line)) > 0);
  return lines;
}

/** An answer of the walk in its layers; null where a line is none. */
function layersOf(line: string): { readonly outer: string; readonly headers: string } | null {
  const seen = (line === '' ? null : JSON.parse(line)) as Partial<Asked> | null;
  if (seen?.status === undefined || seen.headers === undefined || seen.text === undefined) return null;
  const { 'content-length': _length, 'content-type': mediaType, ...headers } = seen.headers;
  const isJson = readJson(seen.text) !== undefined;
  return { outer: JSON.stringify([seen.status, mediaType, isJson]), headers: JSON.stringify(headers) };
}

/**
 * Whether a flaw changes nothing but the bodies of answers whose status, media type or JSON another has broken: an answer is
 * judged in layers, and the first that breaks takes the charge.
 */
const isBelowAnother = (together: readonly string[], apart: readonly string[], sound: readonly string[]): boolean =>
  together.every((line, at) => {
    if (line === apart[at]) return true;
    const [both, other, none] = [line, apart[at] ?? '', sound[at] ?? ''].map(layersOf);
    return both?.headers === other?.headers && both?.outer === other?.outer && other?.outer !== none?.outer;
  });

/** Whether all of these rows are declared to pass a flaw over beside what else is there. */
const isDeclaredHidden = (server: Server, flaw: Flaw, rows: readonly RequirementId[]): boolean => {
  const hidden = interplaysOf(server).flatMap(({ flaws, hides = [] }) => (flaws.includes(flaw.name) ? hides : []));
  return rows.length > 0 && rows.every((row) => hidden.includes(row));
};

/**
 * Whether a flaw cannot be seen in company: the server answers to all of the walk as it does without that flaw, or without
 * any, where two undo each other; or where it does not, the other has broken that answer before; or the other is declared to
 * hide it. The walk shows each flaw on its own (a test sees to that), and the kit has no part in it.
 */
export async function isHidden(server: Server, flaw: Flaw, rows: readonly RequirementId[]): Promise<boolean> {
  if (isDeclaredHidden(server, flaw, rows)) return true;
  const others = server.flaws.filter((name) => name !== flaw.name);
  if (others.length + server.variants.length === 0) return false;
  // Without it its store is the same.
  const animals = membersOf(server).findLast(({ options }) => options.animals !== undefined)?.options.animals;
  const withFlaws = (flaws: readonly string[]) =>
    transcriptOf({ ...server, flaws, ...(animals !== undefined && { animals }) });
  const [together, apart, sound] = [await transcriptOf(server), await withFlaws(others), await withFlaws([])];
  const isAs = (before: readonly string[]): boolean => together.every((line, at) => line === before[at]);
  return isAs(apart) || isAs(sound) || isBelowAnother(together, apart, sound);
}
