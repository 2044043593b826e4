import { relative, dirname, sep } from 'node:path';
import type { Comparison } from '../../outcome/acceptance/compare.js';
import { ended } from '../../base/kernel/format.js';
import { comparisonDocument, type Places } from '../comparison.js';
import { trendOf, TRENDS } from '../comparison-sentence.js';
import { renderDocument } from './document.js';
import { Head } from './markup/head.js';
import { Items } from './markup/lists.js';
import { Headline } from './parts/text.js';
import { DataTable, SectionView } from './sections.js';

/** @param places addresses of the two reports, relative to the page */
export function comparisonPage(comparison: Comparison, places: Places = {}): string {
  const { sentence, remarks, runs, sections } = comparisonDocument(comparison, places);
  const { word, glyph, tone } = TRENDS[trendOf(comparison)];
  return renderDocument({
    looks: 'several',
    title: `${word}: ${sentence}`,
    description: sentence,
    body: (
      <>
        <Head
          tone={tone}
          glyph={glyph}
          word={word}
          judge="Comparison of two runs"
          sentence={<Headline text={sentence} />}
        >
          <DataTable table={runs} class="two-runs" />
          {remarks.length > 0 && (
            <div class="remarks note">
              <p>Reasons for differences other than the target:</p>
              <Items items={remarks.map(ended)} />
            </div>
          )}
        </Head>
        <main>
          {sections.map((section) => (
            <SectionView {...section} context={{ places }} />
          ))}
        </main>
      </>
    ),
  });
}

/** Relative, so that both files can move together. */
export function linkFrom(page: string, file: string): string {
  const path = relative(dirname(page), file).split(sep).map(encodeURIComponent).join('/');
  return path.startsWith('.') ? path : `./${path}`;
}
