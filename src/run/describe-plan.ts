import { loadLedger } from '../base/interface/ledger.js';
import type { RemovalPhase } from '../base/interface/removal-phase.js';
import { duration } from '../base/kernel/format.js';
import { MAX_CREATIONS } from '../drive/probes/seeding.js';
import { certificateObstacles } from './certificate-obstacles.js';
import { limitOf, outlookOf, totalOf } from './cost.js';
import { PHASES } from './phases/index.js';
import { costWords, labelled } from './phases/phase.js';
import type { RunPlan } from './plan-run.js';
import { rehearse } from './rehearse.js';
import type { RunRequest } from './request.js';
import { testedRows } from './select.js';

export { PLAN_LABEL } from './phases/phase.js';

/** Describes the plan of a run in lines, for `--dry-run`. Sends nothing to the target. */
export async function describePlan(
  { request, removal }: RunPlan,
  verbose: boolean,
): Promise<readonly string[]> {
  const { target, asOf } = request;
  const limit = await limitOf(request);
  return [
    labelled('target', `${target.name}  ${target.baseUrl}`),
    labelled('requirements', rowsText(request)),
    labelled('as of', `${asOf}, ${REMOVAL_TEXTS[removal]}`),
    labelled('writes', writesText(request)),
    ...(request.acceptance?.certificate ? certificateLines(request) : []),
    ...(await phaseLines(request, verbose)),
    labelled(
      'at most',
      `${duration(limit * 1000)} in all: the run is cut short then, even if the target demands longer waits`,
    ),
    'nothing was sent',
  ];
}

const REMOVAL_TEXTS: Readonly<Record<RemovalPhase, string>> = {
  before: 'before the removal of getPet',
  'on-the-day': 'the day of the removal of getPet',
  after: 'after the removal of getPet',
};

function rowsText({ selection, selected }: RunRequest): string {
  const { requirements } = loadLedger();
  if (selection?.replay !== undefined) return 'those that the story breaks';
  if (selected === null) return `all ${requirements.length}`;
  return `${requirements.filter(({ id }) => selected.includes(id)).length} of ${requirements.length} selected`;
}

function writesText({ writes, selection }: RunRequest): string {
  if (!writes) return 'off';
  if (selection?.replay !== undefined) return 'on';
  return `on: the run creates at most ${MAX_CREATIONS} animals, named conformance-…`;
}

/** A rehearsal counts the requests of the suites, and lists them for `--verbose`. */
async function phaseLines(request: RunRequest, verbose: boolean): Promise<readonly string[]> {
  const tested = testedRows(request);
  const suites = tested.length > 0 ? await rehearse(request, tested) : null;
  const probes = verbose && suites ? suites.exchanges.map(({ probe }) => probe) : [];
  const outlook = { ...(await outlookOf(request, suites)), probes };
  const lines = await Promise.all(PHASES.map(async (phase) => (await phase.lines?.(outlook)) ?? []));
  return [...lines.flat(), labelled('in all', costWords(await totalOf(outlook)))];
}

function certificateLines(request: RunRequest): readonly string[] {
  const reasons = certificateObstacles(request, new Date().toISOString());
  return reasons.length === 0
    ? [labelled('certificate', 'possible: no obstacle is known now')]
    : reasons.map((reason, place) =>
        labelled(place === 0 ? 'certificate' : '', `not from this run: ${reason}`),
      );
}
