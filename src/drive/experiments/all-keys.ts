import type { OperationName } from '../../base/interface/types.js';
import { closedGate } from '../../base/kernel/gate.js';
import { counted } from '../../base/kernel/format.js';
import { banMet } from '../../judge/limits/ban-signs.js';
import { pacedUntil } from '../../judge/limits/other-key.js';
import { minuteMs } from '../../judge/limits/bounds.js';
import { leeway } from '../../judge/limits/timing.js';
import { bySending, lastAnswerOf } from '../../judge/limits/sample.js';
import type { KeySeries, OtherKeyProbe } from '../../judge/limits/series.js';
import { type Drive, type KeyRun, openKeyRun, type Outcome, type Step } from './key-run.js';
import type { Lab } from '../load/lab.js';
import type { KeySession } from '../load/key-session.js';
import { faultIn, sinkOf } from './open-series.js';
import { MOST_REFUSED, MOST_UNCERTAIN } from '../load/refusal-bound.js';
import { freshAnswer } from './burst/first-answer.js';
import { SEQUENCE } from './index.js';

/**
 * Runs the steps of one key's profiles, and reports each. A key that met the most refusals in a row sends no
 * more.
 */
async function driveKey(
  session: KeySession,
  lab: Lab,
  drive: Drive,
  afterBurst: () => void,
): Promise<KeySeries> {
  const run = openKeyRun(session, lab, drive);
  let isBanKnown = false;
  for (const [profile, step] of SEQUENCE) {
    const startedAt = lab.now();
    const goesOn = drive.profiles.has(profile) && !lab.signal.aborted && session.refused() < MOST_REFUSED;
    const outcome = goesOn ? await withoutFault(step, run) : null;
    if (outcome !== null) {
      run.add(outcome.series);
      // The day's own 429 asks for a long wait, as a ban does.
      const met = profile === 'day-quota' ? null : banMet(bySending(session.samples()), session.figures);
      const ban = isBanKnown ? null : met;
      isBanKnown = met !== null;
      drive.report(
        profile,
        startedAt,
        ban === null ? outcome : { ...outcome, sentence: `${outcome.sentence} ${banText(ban)}` },
      );
    }
    if (profile === 'burst') afterBurst();
  }
  return run.record();
}

/**
 * Runs a step. If it met a response that is neither a success nor the limit's, as of a server that fails now
 * and then, it runs once more after a window of silence, and the first attempt counts as earlier requests.
 */
async function withoutFault(step: Step, run: KeyRun): Promise<Outcome | null> {
  const { session, lab } = run;
  const before = session.samples().length;
  const outcome = await step(run);
  const sent = session.samples().slice(before);
  const fault = faultIn(sent, session.figures);
  if (outcome === null || fault === null || session.refused() >= MOST_UNCERTAIN) return outcome;
  const met = `${fault} of ${counted(sent.length, 'response')}`;
  const at = lastAnswerOf(sent) + minuteMs(session.figures) + leeway(session.figures);
  const what = `a window of silence, as the ${session.key} plan got ${met}, to repeat the requests once`;
  const again = (await lab.pause(at, what)) ? await step(run) : null;
  return again === null
    ? { ...outcome, sentence: `${outcome.sentence} It got ${met}.` }
    : { ...again, sentence: `Repeated once, as it got ${met}. ${again.sentence}` };
}

/** Says that a key was banned: "The key looks banned: 403 after 5 refusals in a row." */
const banText = ({ answer, refusals }: NonNullable<ReturnType<typeof banMet>>): string =>
  `The key looks banned: ${answer.status} after ${counted(refusals, 'refusal')} in a row.`;

/** Options of one key that do not depend on other keys. */
export type OwnDrive = Omit<Drive, 'refusalOperation' | 'spreads' | 'askOther'>;

/** Operation for each plan's first 429, smallest plan first: there a creation that is not refused costs least. */
const REFUSALS: readonly OperationName[] = ['createPet', 'getPet', 'listPets'];

/**
 * Runs all plans' keys in parallel, smallest plan first. Only the smallest plan's burst runs alone: it probes
 * the next plan's key before and after, and no other load may affect that key.
 */
export async function driveAllKeys(
  sessions: readonly KeySession[],
  lab: Lab,
  driveOf: (session: KeySession) => OwnDrive,
): Promise<readonly KeySeries[]> {
  const [smallest, witness] = sessions;
  if (smallest === undefined) return [];
  const bursts = driveOf(smallest).profiles.has('burst');
  const askOther =
    witness !== undefined && bursts && !lab.signal.aborted ? await watchedBy(witness, lab) : null;
  const others = closedGate();

  const drive = async (session: KeySession, place: number): Promise<KeySeries> => {
    const isFirst = session === smallest;
    if (!isFirst) await others.passed;
    try {
      const refusalOperation = refusalOperationOf(place, lab.operations);
      // The others wait for the smallest plan's burst: with others it is not drawn out.
      const spreads = !isFirst || witness === undefined;
      const options = { ...driveOf(session), refusalOperation, spreads, askOther: isFirst ? askOther : null };
      return await driveKey(session, lab, options, others.open);
    } finally {
      others.open();
    }
  };
  return Promise.all(sessions.map(drive));
}

/**
 * Sends a request with a key and returns a function for a second one; null if the first was not allowed. The
 * second waits until no pacer refuses it: the burst in between may end with its second request.
 */
async function watchedBy(witness: KeySession, lab: Lab): Promise<(() => Promise<OtherKeyProbe>) | null> {
  const before = await freshAnswer(witness, lab);
  if (before === null) return null;
  return async () => {
    await lab.pause(pacedUntil({ before, figures: witness.figures }), `the ${witness.key} plan's own pace`);
    const during = await witness.ask('listPets', sinkOf('burst', witness.figures));
    return { key: witness.key, figures: witness.figures, before, during };
  };
}

const refusalOperationOf = (place: number, operations: readonly OperationName[]): OperationName => {
  const inScope = REFUSALS.filter((operation) => operations.includes(operation));
  return inScope[Math.min(place, inScope.length - 1)] ?? 'listPets';
};
