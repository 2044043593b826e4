import { counted, duration, listed } from '../../base/kernel/format.js';
import { secondsOfExploring, USUAL_ANIMALS, usualRequests } from '../explore-request.js';
import type { ExploreRequest, RunRequest } from '../request.js';
import { needsLoad } from '../select.js';
import { costLine, labelled, NO_COST, type Outlook, type Phase, type PhaseCost } from './phase.js';

/** Sends random requests with the suites' key, beyond the suites' own. */
export const explorePhase: Phase = {
  name: 'explore',
  wanted: ({ explore }) => explore !== undefined,
  cost: ({ request, load }) =>
    request.explore ? costOf(request.explore.requests, request, load !== null) : NO_COST,
  lines: (outlook) => {
    const { explore } = outlook.request;
    if (explore) return exploreLines(explore, outlook);
    return outlook.suites ? [offLine(outlook)] : [];
  },
  begin: (run) => ({
    perform: async () => {
      const { request, violated } = run;
      if (!request.explore) return null;
      const { known, learnt } = await run.received();
      const { exploreTarget } = await import('../exploring.js');
      const last = known.findLast(({ credential }) => credential.kind === 'valid') ?? null;
      const before = needsLoad(request) ? 'load' : last;
      const added = known.findLast(({ operation }) => operation === 'createPet');
      await exploreTarget({ ...run, asked: request.explore, learnt, broken: violated, before, added });
      return null;
    },
  }),
};

const costOf = (
  requests: number,
  { target }: Pick<RunRequest, 'target'>,
  isAfterLoad: boolean,
): PhaseCost => ({
  requests,
  seconds: secondsOfExploring(requests, target, isAfterLoad),
});

/** What exploring would add to a run without it. */
function offLine({ request, load }: Outlook): string {
  const { target, writes } = request;
  const { requests, seconds } = costOf(usualRequests(target), request, load !== null);
  const animals = writes ? `, and leaves at most ${counted(USUAL_ANIMALS, 'animal')}` : '';
  return labelled(
    'explore',
    `off; --explore sends ${counted(requests, 'request')} more with the ${target.suiteKey} key, ` +
      `about ${duration(seconds * 1000)}${animals}`,
  );
}

function exploreLines(explore: ExploreRequest, { request, load }: Outlook): readonly string[] {
  const { target, writes } = request;
  const animals = counted(explore.animals, 'more animal');
  return [
    labelled('explore', `after everything else${whatOf(explore)}`),
    costLine(target.suiteKey, 'explore', costOf(explore.requests, request, load !== null)),
    labelled(
      '',
      writes
        ? `at most ${animals} are added and stay, with names such as null, 007 or <script>`
        : 'reads, spellings, keys and limits only (writes are off)',
    ),
  ];
}

function whatOf({ seed, replay, onward }: ExploreRequest): string {
  if (!replay || onward) return `, seed ${seed}`;
  const stories = replay.map((path) => `${seed}:${path}`);
  return ` only ${stories.length === 1 ? 'the story' : 'the stories'} ${listed(stories)}`;
}
