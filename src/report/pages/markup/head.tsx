import type { ComponentChildren } from 'preact';
import type { RunLog } from '../../../log/run-log.js';
import { capital, ended } from '../../../base/kernel/format.js';
import type { Outcome } from '../../../judge/verdict.js';
import { Glyph } from '../parts/glyph.js';
import { harmless } from './lists.js';

interface HeadProps {
  readonly glyph: Outcome | null;
  /** Outcome whose colour the word has, if it is a verdict. */
  readonly tone?: Outcome | null;
  readonly word: ComponentChildren;
  /** Who judged, or what is shown. */
  readonly judge: string;
  readonly sentence: ComponentChildren;
  /** Above the verdict: why the run was cut short. */
  readonly above?: ComponentChildren;
  readonly children?: ComponentChildren;
}

/** First screen of every page: the verdict as word and as sentence, and what follows it. */
export const Head = ({ glyph, tone = glyph, word, judge, sentence, above, children }: HeadProps) => (
  <header class="head">
    {above}
    <p class={`verdict-word${tone ? ` ink-${tone}` : ''}`}>
      {glyph && <Glyph outcome={glyph} />} <span class="word">{word}</span>
      <span class="judge">{judge}</span>
    </p>
    <h1>{sentence}</h1>
    {children}
  </header>
);

interface CutShortProps {
  /** True if some senders of a load run are missing, and the others went on. */
  readonly isPartial?: boolean;
  readonly footer: RunLog['footer'];
  readonly children?: ComponentChildren;
}

/** Why the rest of a page shows only some results. */
export const CutShort = ({ isPartial = false, footer, children }: CutShortProps) => (
  <div class="cut-short">
    <Glyph outcome="inconclusive" />
    <p>
      <strong>{isPartial ? 'This run is incomplete.' : 'This run was cut short.'}</strong>{' '}
      {footer === null
        ? 'Its log has no end, as after a crash or a killed process.'
        : footer.reason === null
          ? 'It ended early.'
          : isPartial
            ? harmless(ended(capital(footer.reason)))
            : ['It ended early: ', harmless(ended(footer.reason))]}{' '}
      {children} The rest shows only the results {isPartial ? 'of the other parts' : 'so far'}.
    </p>
  </div>
);

export const BeforeYouRely = ({ remarks }: { readonly remarks: readonly string[] }) =>
  remarks.length === 0 ? null : (
    <section>
      <h2>Before you rely on it</h2>
      {remarks.map((remark) => (
        <p>{harmless(ended(remark))}</p>
      ))}
    </section>
  );

export const Contents = ({
  sections,
  children,
}: {
  readonly sections: readonly (readonly [id: string, name: string])[];
  readonly children?: ComponentChildren;
}) => (
  <nav class="contents on-screen" aria-label="Sections of this report">
    <ul>
      {sections.map(([id, name]) => (
        <li>
          <a href={`#${id}`}>{name}</a>
        </li>
      ))}
    </ul>
    {children !== undefined && (
      <div class="tools" hidden>
        {children}
      </div>
    )}
  </nav>
);
