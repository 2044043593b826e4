import { setTimeout as sleep } from 'node:timers/promises';
import { BEAT_MS, LOST_MS } from '../capacity/fleet/state.js';
import { now } from '../exchange/connection.js';
import type { Board } from './fleet-board.js';
import { GRACE_MS, isOver, markLost, type Course, type FleetOptions } from './fleet-course.js';
import { duration } from '../format/format.js';

/** While it builds what it needs an agent may be silent for so many times as long. */
const PREPARING = 4;
const namesOf = (board: Board, count: number): readonly string[] =>
  Array.from({ length: count }, (_, index) => board.of(index)?.name ?? '').filter(Boolean);

/** Waits until every slice has its agent. */
export async function gather({ slices, waitMs, say, link }: FleetOptions, board: Board, course: Course): Promise<void> {
  const until = now() + waitMs;
  let told = -1;
  while (!isOver(course)) {
    await board.beat();
    const here = namesOf(board, slices.length);
    if (here.length !== told)
      say(`${here.length} of ${slices.length} agents are there${here.length > 0 ? `: ${here.join(', ')}` : ''}`);
    told = here.length;
    if (refusedBy(board, slices.length, course)) return;
    markLost(board, slices.length, course, Infinity);
    if (lostOne(board, course) || here.length === slices.length) return;
    if (now() > until)
      course.obstacle = {
        code: 'agents',
        short: 'agents are missing',
        message: `${here.length} of ${slices.length} agents were there within ${duration(waitMs)}${here.length > 0 ? `: ${here.join(', ')}` : ''}.`,
        hint: `Start more with petstore-conformance agent, with the same Redis (${link.shown}) and prefix, or wait longer with --wait.`,
      };
    else await sleep(BEAT_MS);
  }
}

function refusedBy(board: Board, count: number, course: Course): boolean {
  for (let index = 0; index < count; index += 1) {
    const state = board.of(index);
    if (state?.step !== 'refused') continue;
    course.obstacle = {
      code: 'agents',
      short: 'an agent refuses its part',
      message: `${state.name} ${state.reason ?? 'refuses its part'}.`,
      hint: 'Mend that where the agent runs, and start it again.',
    };
    return true;
  }
  return false;
}

/** Whether a part was lost before anything was sent: then it is the reason that nothing is. */
function lostOne(board: Board, course: Course): boolean {
  const [[index, why] = []] = course.lost;
  if (index === undefined) return false;
  const name = board.of(index)?.name;
  course.obstacle = {
    code: 'agents',
    short: 'an agent was lost',
    message: `part ${index + 1}${name === undefined ? '' : ` (${name})`} ${why}.`,
    hint: 'Start the agent again, and keep everybody else out of that Redis.',
  };
  return true;
}

/** Lets all look at the target first, each with its own key, and waits until each is ready. */
export async function prepare({ slices, whole }: FleetOptions, board: Board, course: Course): Promise<void> {
  if (isOver(course)) return;
  board.tell({ step: 'prepare' });
  const { timeoutMs } = whole.run.request.target.http;
  const until = now() + 2 * timeoutMs + GRACE_MS;
  while (!isOver(course)) {
    await board.beat();
    const steps = slices.map((_, index) => board.of(index)?.step);
    if (refusedBy(board, slices.length, course)) return;
    if (steps.every((step) => step === 'ready')) return;
    // Its preflight found what stands in the way: its log says what.
    if (steps.includes('done')) {
      course.ended = 'a part could not start';
      return;
    }
    markLost(board, slices.length, course, PREPARING * LOST_MS);
    if (lostOne(board, course)) return;
    if (now() > until) {
      course.problems.push('not all agents were ready in time');
      course.ended = 'not all agents were ready';
      return;
    }
    await sleep(BEAT_MS);
  }
}
