import type { Flaw } from '../../reference/index.js';
import type { Results } from '../../verdict/results.js';
import { isHidden } from './hiding.js';
import { foundOr, type Held, type Judged } from './hunt.js';
import { interplaysOf } from './interplays/index.js';
import { flawsOf, variantsOf, type Server } from './servers.js';

type Rows = Results['requirements'];

const RED: ReadonlySet<string> = new Set(['failed', 'warned', 'error']);

/** Whether a row that passed says that a part of what it names was not tried. */
const isPartly = (row: Rows[number]): boolean => 'partly' in row && Array.isArray(row.partly) && row.partly.length > 0;

/** A row that says nothing of a flaw that is there: it passed, and nothing beside it says that it is not the whole. */
const isSilent = (row: Rows[number] | undefined): boolean => row?.outcome === 'passed' && !isPartly(row);

const idsOf = (rows: readonly Rows[number][]): string => rows.map(({ id, outcome }) => `${id} ${outcome}`).join(', ');

/** The rows of a flaw that passed it over without a word. */
const passedOver = (flaw: Flaw, rows: Rows): Rows => rows.filter((row) => flaw.turns.includes(row.id) && isSilent(row));

/**
 * Holds results against all that a server's members declare: red is what they turn and no more, and no flaw is passed over
 * in silence. What two flaws turn red only together is no fault of the kit, and is counted.
 * @param canHide whether one member may hide another, so that what is not to be seen is no miss
 */
export async function heldAgainst(
  server: Server,
  { requirements: rows }: Pick<Results, 'requirements'>,
  canHide: boolean,
): Promise<Judged> {
  const flaws = flawsOf(server);
  const allowed = new Set([
    ...flaws.flatMap(({ turns, also }) => [...turns, ...also]),
    ...variantsOf(server).flatMap(({ warns }) => warns),
    ...interplaysOf(server).flatMap(({ reddens = [] }) => reddens),
  ]);
  const red = rows.filter(({ id, outcome }) => RED.has(outcome) && (outcome === 'error' || !allowed.has(id)));
  const isBrokenTwice = flaws.length > 1;
  const wronged = red.filter(({ outcome }) => outcome === 'error' || !isBrokenTwice);
  const silent = flaws.flatMap((flaw) => {
    const over = passedOver(flaw, rows);
    return over.length > 0 ? [{ flaw, over }] : [];
  });
  const hidden = canHide
    ? await Promise.all(
        silent.map(async ({ flaw, over }) =>
          isHidden(
            server,
            flaw,
            over.map(({ id }) => id),
          ),
        ),
      )
    : [];
  const missed = silent.filter((_miss, at) => hidden[at] !== true);
  const what = [
    ...(wronged.length > 0 ? [`wrongly red: ${idsOf(wronged)}`] : []),
    ...missed.map(({ flaw, over }) => `${flaw.name} passed over in silence: ${idsOf(over)}`),
  ];
  const more = isBrokenTwice && red.length > 0;
  return foundOr(what, more && silent.length === 0 ? 'caught with more' : asOf(flaws, rows, silent.length > 0));
}

function asOf(flaws: readonly Flaw[], rows: Rows, isHiding: boolean): Held {
  if (isHiding) return 'hidden';
  const turned = flaws.flatMap(({ turns }) => turns);
  const isOpen = (id: string): boolean => !RED.has(rows.find((row) => row.id === id)?.outcome ?? '');
  if (turned.some(isOpen)) return 'left open';
  return flaws.length > 0 ? 'caught' : 'let pass';
}
