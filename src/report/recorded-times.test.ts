import assert from 'node:assert/strict';
import { test } from 'node:test';
import { loadLedger } from '../base/interface/ledger.js';
import { exampleLog, exampleResults } from './example-run.test.support.js';
import { badgeOf } from './machine/badge.js';
import { todoMarkdown } from './machine/todo.js';
import { renderPage } from './pages/render-page.js';
import { runDocument } from './run-document.js';

const [FROM, TO] = ['2026-03-05T10:00:00.000Z', '2026-03-05T10:17:29.000Z'];

test('reports of recorded traffic name its own time, not that of the run that judged it', () => {
  const { requirements } = loadLedger();
  const log = exampleLog();
  const results = {
    ...exampleResults(),
    traffic: { entries: 2, inScope: 2, leftOut: {}, from: FROM, to: TO },
  };
  const document = runDocument(results, { log, requirements });
  const reports = [
    badgeOf(results).message,
    todoMarkdown(document, log.header, () => '').split('## ')[0] ?? '',
    /<title>[^<]*/.exec(renderPage({ document, log, proof: null, curlOf: () => '' }))?.[0] ?? '',
  ];
  for (const text of reports) assert.match(text, /5 Mar 2026|2026-03-05 10:00/);
});
