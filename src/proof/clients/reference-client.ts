import type { ClientRow } from '../../base/interface/requirement-ids.js';
import type { ClientScenario } from '../../base/interface/names.js';
import { clientOf, GaveUp, sound, type Manners, type Place } from './sending.js';
import { session, type Script } from './scripts.js';

/** A client with one mistake, or a sound one with a permitted difference. */
export interface ReferenceClient {
  readonly name: string;
  /** The mistake or the difference, as a sentence. */
  readonly title: string;
  /** Scenarios in which it shows. */
  readonly plays: readonly ClientScenario[];
  /** Rows that turn red; empty for a sound client. */
  readonly turns: readonly ClientRow[];
  readonly run: (place: Place) => Promise<void>;
}

interface Particulars {
  readonly plays?: readonly ClientScenario[];
  readonly manners?: Partial<Manners>;
  readonly script?: Script;
}

/** Defines a client by a heading, `name: Title.` */
export function referenceClient(
  heading: string,
  turns: readonly ClientRow[],
  { plays = ['calm'], manners = {}, script = session }: Particulars,
): ReferenceClient {
  const [name = '', ...title] = heading.split(': ');
  return {
    name,
    title: title.join(': '),
    plays,
    turns,
    async run(place) {
      using client = clientOf(place, { ...sound, ...manners });
      try {
        await script(client);
      } catch (error) {
        if (!(error instanceof GaveUp)) throw error;
      }
    },
  };
}
