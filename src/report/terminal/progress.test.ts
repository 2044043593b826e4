import assert from 'node:assert/strict';
import { knownRedacted } from '../../wire/exchange/redaction.js';
import { describe, it } from 'node:test';
import { stripVTControlCharacters } from 'node:util';
import type { LogRecord } from '../../log/record.js';
import { paint } from './lines.js';
import { liveLines } from './live-lines.js';
import { lookOf } from './look.js';
import { createTerminalReporter, renderFinal } from './reporter.js';
import { START } from '../example-header.test.support.js';
import { ROWS, recordsOf, violated, type Made } from './synthetic.test.support.js';
import { viewing } from './view.js';
import {
  runOf,
  PLACES,
  OF_THE_SUITES,
  ONE_FAILURE,
  STATES,
  collector,
  optionsFor,
  final,
  told,
} from './reporter.test.support.js';

const SCREEN = { isTTY: true, columns: 80, rows: 24 };
const ON_SCREEN = { reporter: 'auto', env: { LANG: 'C.UTF-8', TERM: 'xterm', NO_COLOR: '1' } } as const;

/** Is true for the first record of a load's results. */
const isOfLoad = ({ type }: LogRecord): boolean => type === 'profile' || type === 'footer';

describe('a run in progress', () => {
  it('prints a part only when settled, and immediately on a screen', () => {
    const text = told(
      {},
      ON_SCREEN,
      ({ type, ...of }) => type === 'phase' && 'phase' in of && of.phase === 'load',
      SCREEN,
    );
    assert.match(text, /preflight/);
    assert.doesNotMatch(text, /Service|Endpoints/, 'passive rows are open while the suites run');
    const later = told({}, ON_SCREEN, (record) => record.type === 'profile', SCREEN);
    assert.deepEqual(later.match(/^\S \d/gm), ['✓ 1', '✓ 2', '– 3', '✓ 4', '✓ 5', '– 6', '· 7']);
  });

  it('prints experiments first and parts at the end without a screen', () => {
    const experiments: Made = { profiles: ['burst'] };
    const text = told(experiments, {}, (record) => record.type === 'footer');
    assert.match(text, /load burst/);
    assert.doesNotMatch(text, /Service/);
  });

  it('prints a requirement again if its outcome changed under load', () => {
    const late = [violated('pet-shape', 'an animal had no name')];
    const text = told({ late }, ON_SCREEN, undefined, SCREEN);
    assert.match(text, /✓ 2 {2}Resources/);
    assert.match(text, /✗ 2 {2}Resources {7}changed since it was printed above\n {3}✗ pet-shape/);
    assert.match(text, /NOT CONFORMANT/);
    assert.doesNotMatch(final({ late }), /otherwise/);
  });

  it('announces only a long wait, with its reason and end', () => {
    const out = collector();
    const reporter = createTerminalReporter(optionsFor({ stream: out.stream }));
    for (const record of recordsOf().slice(0, 4)) reporter.record(knownRedacted(record));
    const before = out.text().length;
    reporter.record(
      knownRedacted({ type: 'waiting', what: 'the free window to begin anew', until: START + 2_000 }),
    );
    assert.equal(out.text().length, before);
    reporter.record(
      knownRedacted({ type: 'waiting', what: 'the free window to begin anew', until: START + 38_000 }),
    );
    assert.match(
      out.text().slice(before),
      /^ {2}… waiting for the free window to begin anew, until \d\d:\d\d:38 \(38 s\)\n$/,
    );
  });

  it('prints one row for each experiment, with as many clauses as fit', () => {
    const long =
      '1,000 of 1,000 requests allowed (20 earlier); the next one, POST /pets/of/a/long/path, got 429.';
    const out = collector();
    const reporter = createTerminalReporter(optionsFor({ stream: out.stream }));
    for (const record of recordsOf({ profiles: ['burst'] }))
      reporter.record(
        knownRedacted(
          record.type === 'profile' ? { ...record, summary: { ...record.summary, sentence: long } } : record,
        ),
      );
    const rows = out
      .text()
      .split('\n')
      .filter((row) => /^ {2}load burst/.test(row));
    assert.ok(rows.length > 0);
    for (const row of rows) assert.match(row, /: 1,000 of 1,000 requests allowed \(20 earlier\)$/);
    assert.doesNotMatch(out.text(), /got 429/);
  });

  it('ends no row of an experiment with a full stop, whether it fits or not', () => {
    for (const sentence of [
      '60 of 60 requests allowed.',
      '429 in a window that was used up, after a pause.',
    ]) {
      const out = collector();
      const reporter = createTerminalReporter(optionsFor({ stream: out.stream }));
      for (const record of recordsOf({ profiles: ['burst'] }))
        reporter.record(
          knownRedacted(
            record.type === 'profile' ? { ...record, summary: { ...record.summary, sentence } } : record,
          ),
        );
      assert.ok(out.text().includes(`: ${sentence.slice(0, -1)}\n`), out.text());
    }
  });

  it('announces a question that takes long once, with the key that begins it', () => {
    const out = collector();
    const reporter = createTerminalReporter(optionsFor({ stream: out.stream }));
    for (const record of recordsOf().slice(0, 4)) reporter.record(knownRedacted(record));
    const before = out.text().length;
    const text = 'the steady run: 95 % of the plan';
    const asked = { type: 'progress', profile: 'steady', text } as const;
    for (const [plan, ms] of [
      ['free', 9_000],
      ['pro', 120_000],
      ['business', 121_000],
    ] as const)
      reporter.record(knownRedacted({ ...asked, plan, until: START + ms }));
    reporter.record(knownRedacted({ ...asked, plan: 'free' }));
    assert.match(
      out.text().slice(before),
      /^ {2}… limits: the steady run, first with pro, until \d\d:\d\d:\d\d \(2 min\)\n$/,
    );
  });

  it('prints the verdict of the suites while a long load goes on', () => {
    const long = { preflight: { plannedSeconds: 312 } };
    for (const [change, shape] of [
      [{}, {}],
      [ON_SCREEN, SCREEN],
    ] as const) {
      const passed = told(long, change, isOfLoad, shape);
      assert.match(passed, /^suites {5}✓ 38 of 38 required behaviours passed · now the rate limit$/m);
      const failed = told({ ...long, ...ONE_FAILURE }, change, isOfLoad, shape);
      assert.match(failed, /^suites {5}✗ 1 failed: list-limit-default · 1 inconclusive · 36 of 38 passed$/m);
    }
    assert.doesNotMatch(told({}, {}, isOfLoad), /^suites/m, 'a short run is over soon');
    const without = told(
      long,
      {},
      ({ type, ...of }) => type === 'phase' && 'phase' in of && of.phase === 'load',
    );
    assert.doesNotMatch(without, /^suites/m, 'the suites still run');
  });

  it('announces one of several waits in parallel', () => {
    const out = collector();
    const reporter = createTerminalReporter(optionsFor({ stream: out.stream }));
    for (const record of recordsOf().slice(0, 4)) reporter.record(knownRedacted(record));
    const before = out.text().length;
    for (const what of ['one', 'another', 'a third'])
      reporter.record(knownRedacted({ type: 'waiting', what, until: START + 38_000 + what.length }));
    reporter.record(knownRedacted({ type: 'waiting', what: 'a longer one', until: START + 60_000 }));
    assert.deepEqual(
      out
        .text()
        .slice(before)
        .match(/waiting for .*?,/g),
      ['waiting for one,', 'waiting for a longer one,'],
    );
  });

  it('prints annotations on GitHub', () => {
    for (const change of [
      { reporter: 'github' },
      { reporter: 'auto', env: { LANG: 'C.UTF-8', GITHUB_ACTIONS: 'true' } },
    ] as const) {
      const lines = told(ONE_FAILURE, change).split('\n');
      assert.ok(lines.some((line) => line.startsWith('::error title=list-limit-default::')));
      assert.ok(lines.some((line) => line.startsWith('::warning title=auth-challenge::')));
    }
    const commands = told(STATES['hostile'] ?? {}, { reporter: 'github' })
      .split('\n')
      .filter((line) => /^\s*::/.test(line));
    assert.ok(
      commands.every((line) => /^::(?:error|warning) title=(?:list-ok|get-ok)::/.test(line)),
      commands.join('\n'),
    );
    assert.doesNotMatch(told(ONE_FAILURE, { reporter: 'list' }), /^::/m);
  });
});

describe('the live line in a terminal', () => {
  const env = { LANG: 'C.UTF-8', TERM: 'xterm', NO_COLOR: '1' };

  it('disappears at the end and restores the cursor', () => {
    for (const made of [{}, ONE_FAILURE]) {
      const out = collector({ isTTY: true, columns: 80, rows: 24 });
      const { records, document, log } = runOf(made);
      const options = optionsFor({ stream: out.stream, reporter: 'auto', env });
      const reporter = createTerminalReporter(options);
      for (const record of records) reporter.record(knownRedacted(record));
      reporter.finish(document, log, PLACES);
      assert.equal(stripVTControlCharacters(out.text()), renderFinal(document, log, PLACES, options));
    }
  });

  it('has a line for each key that is asked a question, with its time left', () => {
    const see = viewing();
    for (const record of recordsOf().slice(0, 4)) see(knownRedacted(record));
    see(knownRedacted({ type: 'phase', phase: 'load', at: START + 3_000 }));
    const asked = (plan: string, profile: string, text: string, until?: number) =>
      see(knownRedacted({ type: 'progress', plan, profile, text, ...(until !== undefined && { until }) }));
    asked('pro', 'burst', 'a whole burst: one request, then the rest', START + 5_000);
    asked('free', 'steady', 'the steady run: 95 % of the plan', START + 75_000);
    const view = asked('pro', 'recovery', 'back at Retry-After: at Retry-After one request', START + 2_000);
    const look = lookOf(collector({ isTTY: true, columns: 80 }).stream, env, false);
    const [, ...lines] = paint(liveLines(view, ROWS, START + 3_000, look), look).map(
      stripVTControlCharacters,
    );
    assert.deepEqual(lines, [
      '  Free       the steady run · 1 min 12 s left · 95 % of the plan',
      '  Pro        back at Retry-After · at Retry-After one request',
    ]);
  });

  it('names no time left before preflight has planned one', () => {
    const see = viewing();
    const [header] = recordsOf();
    assert.ok(header?.type === 'header');
    const view = see(knownRedacted(header));
    const look = lookOf(collector({ isTTY: true, columns: 80 }).stream, env, false);
    const lines = paint(liveLines(view, ROWS, Date.now(), look), look);
    assert.equal(lines.length, 1);
    assert.match(lines.join(''), /^\S preflight {2}first request$/);
  });

  it('shortens the bar before its words on a narrow terminal', () => {
    const see = viewing();
    const view = recordsOf()
      .slice(0, 10)
      .map((record) => see(knownRedacted(record)))
      .at(-1);
    assert.ok(view);
    const look = lookOf(collector({ isTTY: true, columns: 60 }).stream, env, false);
    const lines = paint(liveLines(view, ROWS, Date.now(), look), look);
    assert.match(lines.join(''), new RegExp(`─{8} {2}0 of ${OF_THE_SUITES} judged`));
  });

  it('shows the whole reason of a wait first, on 80 columns', () => {
    const see = viewing();
    for (const record of recordsOf().slice(0, 10)) see(knownRedacted(record));
    const what = 'the key’s rate limit to reset';
    const view = see(knownRedacted({ type: 'waiting', what, until: START + 59_000 }));
    const look = lookOf(collector({ isTTY: true, columns: 80 }).stream, env, false);
    const [line = ''] = paint(liveLines(view, ROWS, START + 1_000, look), look);
    assert.match(line, /^\S suites {3}\S{8} {2}waiting for the key’s rate limit to reset, 58 s · /);
    const after = paint(liveLines(view, ROWS, START + 60_000, look), look).join('');
    assert.match(after, new RegExp(`\\S{20} {2}0 of ${OF_THE_SUITES} judged`));
  });

  it('is redrawn below the output and erased when the run stops', async () => {
    const out = collector({ isTTY: true, columns: 80 });
    const reporter = createTerminalReporter(optionsFor({ stream: out.stream, reporter: 'auto', env }));
    const drawn = new Promise<void>((done) => {
      const write = out.stream.write.bind(out.stream);
      out.stream.write = ((chunk: string) => {
        if (chunk.includes('suites')) done();
        return write(chunk);
      }) as typeof out.stream.write;
    });
    // The reporter's timer does not keep a process alive.
    const alive = setInterval(() => undefined, 1_000);
    for (const record of recordsOf().slice(0, 10)) reporter.record(knownRedacted(record));
    await drawn;
    clearInterval(alive);
    assert.ok(out.text().includes('\x1b[?25l'), 'the cursor is hidden');
    assert.match(
      stripVTControlCharacters(out.text()),
      new RegExp(`\\S suites {3}─{20} {2}0 of ${OF_THE_SUITES} judged · 6 requests · 4 s left\\n$`),
    );
    reporter[Symbol.dispose]();
    assert.ok(
      out.text().endsWith('\x1b[1A\r\x1b[J\x1b[?25h'),
      'the line is erased and the cursor given back',
    );
  });
});
