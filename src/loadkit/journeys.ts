import type { PlanName } from '../base/interface/types.js';
import { isObject, readJson } from '../base/kernel/json.js';
import { petView } from '../judge/checks/pets.js';
import type { Whole } from '../wire/exchange/raw-answer.js';
import type { Journey } from '../wire/scenario/journey-file.js';
import type { JourneyTally } from './journey-meter.js';
import type { Following, StepEnd, Prepared, RequestSource } from './requests.js';

interface JourneyOptions {
  readonly journey: Journey;
  readonly key: PlanName;
  readonly source: Pick<RequestSource, 'prepare' | 'fetch'>;
  readonly tally: Pick<JourneyTally, 'answered' | 'notShown' | 'finished'>;
  /** Intended start, Unix ms. */
  readonly intendedAt: number;
  /** Place of its arrival in the whole schedule. */
  readonly nth: number;
}

/**
 * Returns the first request of a journey. Each later one follows its predecessor's response after the time to
 * think; a journey ends at its last step, or where a step was not served.
 */
export function firstOfJourney({ journey, key, source, tally, intendedAt, nth }: JourneyOptions): Prepared {
  let created: string | null = null;

  const prepare = (place: number, tries: number): Prepared | null => {
    const step = journey.steps[place];
    if (step === undefined) return null;
    if (step.operation === 'getPet' && created === null) return null;
    const request =
      step.operation === 'getPet' && created !== null
        ? source.fetch(created, key)
        : source.prepare(step, key, nth);
    return { ...request, onEnd: (end) => after(place, tries, end) };
  };

  const after = (place: number, tries: number, end: StepEnd): Following | null => {
    tally.answered(place, end.latencyMs, end.outcome === 'served');
    if (end.outcome !== 'served' || end.response === null) return null;
    const step = journey.steps[place];
    const ids = idsIn(end.response);
    if (step?.operation === 'createPet') created = ids[0] ?? null;
    const isShown = created !== null && ids.includes(created);
    const isAgain = step?.until === 'shown' && !isShown;
    if (isAgain && tries >= step.tries) {
      tally.notShown();
      return null;
    }
    const next = isAgain ? prepare(place, tries + 1) : prepare(place + 1, 1);
    if (next !== null) return { at: end.answeredAt + journey.thinkMs, request: next };
    if (place === journey.steps.length - 1) tally.finished(end.answeredAt - intendedAt);
    return null;
  };

  const first = prepare(0, 1);
  if (first === null) throw new RangeError('A journey without a first step.');
  return first;
}

/** Returns the ids of the animals in a response, as digits. */
function idsIn({ bytes }: Whole): readonly string[] {
  // A repeated member is judged elsewhere.
  const reading = readJson(bytes.toString(), () => undefined);
  if (!reading.ok) return [];
  const { value } = reading;
  return (Array.isArray(value) ? value : [value]).flatMap((pet) =>
    isObject(pet) ? (petView(pet).id ?? []) : [],
  );
}
