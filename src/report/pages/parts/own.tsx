import type { VNode } from 'preact';
import { OWN_TITLE, ownClause, ownEffect, problemText } from '../../../words/own.js';
import { capital, counted } from '../../../format/format.js';
import type { OwnResults } from '../../../verdict/results.js';
import type { PageInput } from '../input.js';
import { cardsOf } from '../model/cards.js';
import { CardView } from './card.js';
import { Text } from './text.js';

/** Own suites, separate from the interface's requirements: results, and a card each. */
export function Own({ input, own }: { readonly input: PageInput; readonly own: OwnResults }): VNode {
  const rows = input.log.header.own?.rows ?? [];
  const cards = cardsOf({ ...input, rows, proof: null, results: { ...input.results, requirements: own.requirements } });
  return (
    <section id="own">
      <h2>{OWN_TITLE}</h2>
      <p>
        {capital(ownClause(own))}. {capital(ownEffect(own))}.{' '}
        <span class="note">{counted(own.requests, 'request')} of these suites</span>
      </p>
      {own.problems.length > 0 && (
        <ul class="reasons">
          {own.problems.map((problem) => (
            <li class="ink-failed">
              <Text longest={600}>{problemText(problem)}</Text>
            </li>
          ))}
        </ul>
      )}
      {cards.map((card) => (
        <CardView card={card} curlOf={input.curlOf} proven={false} neighbours={null} />
      ))}
    </section>
  );
}
