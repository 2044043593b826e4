import type { HistoryRun } from './history.js';

/** One state of something in one run that judged it. */
export interface Seen<State extends string> {
  readonly run: HistoryRun;
  readonly state: State;
  /** The server's build and what else was the same; null where the build was not named. */
  readonly build: { readonly label: string; readonly conditions: string } | null;
}

/** A stretch of runs in which a state did not change. */
export interface Stretch<State extends string> {
  readonly state: State;
  /** The run in which it began. */
  readonly from: HistoryRun;
  readonly runs: number;
}

/** Since when something is as it is, what it was before, and how steady that is. */
export interface Tendency<State extends string> {
  /** In how many runs it was judged at all. */
  readonly judged: number;
  /** The newest stretch; null where no run judged it. */
  readonly last: Stretch<State> | null;
  /** What it was before that; null where it has always been the same. */
  readonly before: State | null;
  readonly changes: number;
  /** The builds that showed more than one state under the same conditions: what changed was not the server's code. */
  readonly flakyOn: readonly string[];
}

/** The tendency of what was judged from run to run, oldest first. Pure. */
export function tendencyOf<State extends string>(judged: readonly Seen<State>[]): Tendency<State> {
  const begins = judged.flatMap(({ state }, at) => (at === 0 || judged[at - 1]?.state !== state ? [at] : []));
  const [from, before] = [begins.at(-1), begins.at(-2)];
  const first = from === undefined ? undefined : judged[from];
  return {
    judged: judged.length,
    last: first && from !== undefined ? { state: first.state, from: first.run, runs: judged.length - from } : null,
    before: before === undefined ? null : (judged[before]?.state ?? null),
    changes: Math.max(0, begins.length - 1),
    flakyOn: unsteadyBuilds(judged),
  };
}

function unsteadyBuilds<State extends string>(judged: readonly Seen<State>[]): readonly string[] {
  const builds = new Map<string, { readonly label: string; readonly states: Set<State> }>();
  for (const { state, build } of judged) {
    if (build === null) continue;
    const key = JSON.stringify([build.label, build.conditions]);
    const known = builds.get(key) ?? { label: build.label, states: new Set() };
    builds.set(key, { ...known, states: known.states.add(state) });
  }
  return [...new Set([...builds.values()].flatMap(({ label, states }) => (states.size > 1 ? [label] : [])))];
}
