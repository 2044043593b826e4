import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { curlOf } from '../../wire/exchange/curl.js';
import {
  exampleExchange,
  exampleLog,
  fault,
  HOSTILE,
  inconclusive,
  violated,
  type ExampleChanges,
} from '../example-run.test.support.js';
import { loadLedger } from '../../base/interface/ledger.js';
import { resultsOf } from '../../outcome/results/results.js';
import { runDocument } from '../run-document.js';
import { todoMarkdown } from './todo.js';

const todo = (changes: ExampleChanges = {}, sentence?: string): string => {
  const log = exampleLog({
    header: { command: 'petstore-conformance run --target staging --certify' },
    ...changes,
  });
  const { requirements } = loadLedger();
  const document = runDocument(resultsOf(log, requirements), { log, requirements });
  return todoMarkdown({ ...document, ...(sentence !== undefined && { sentence }) }, log.header, (exchange) =>
    curlOf(exchange, { baseUrl: 'https://staging.example.com' }),
  );
};

/** Ten rows that share no family of limits, and so are ten mistakes. */
const TEN = [
  'pet-shape',
  'list-ok',
  'list-limit-default',
  'list-status-filter',
  'create-ok',
  'create-invalid-value',
  'get-ok',
  'get-unknown',
  'auth-missing-key',
  'error-shape',
] as const;

const seeAgain = (replay: string): string => {
  const story = { replay, steps: ['GET /v1/pets → 200'], exchanges: ['x1'], seen: 2, of: 2 };
  const finding = { ...violated('list-ok'), story };
  return /^- see it again: (.*)$/m.exec(todo({ findings: [finding] }))?.[1] ?? '';
};

describe('todo.md', () => {
  const ten = todo({
    findings: [
      ...TEN.flatMap((id) => [
        violated(id, `${id} first`),
        violated(id, `${id} second`),
        violated(id, `${id} third`),
      ]),
      inconclusive('list-page-full', 'the store holds 3 animals'),
    ],
  });
  const sections = ten.split(/^## /m).slice(1);

  test('has ten mistakes in less than 200 lines, in the order of the interface, and then what is open', () => {
    assert.ok(ten.split('\n').length < 200, String(ten.split('\n').length));
    const order = loadLedger().requirements.map(({ id }) => id as string);
    const ids = sections.map((section) => section.split('\n', 1)[0]?.replace(/^\d+\. /, ''));
    assert.deepEqual(ids, [
      ...TEN.toSorted((one, other) => order.indexOf(one) - order.indexOf(other)),
      'Open',
    ]);
  });

  test('has all that a reader of the source needs for each mistake', () => {
    for (const section of sections.slice(0, -1)) {
      assert.match(section, /\(part \d, [^)]+\)$/m, 'statement and place');
      for (const line of [
        /^- found: `\S+ first`/m,
        /^ {2}- expected: `\S+ first`$/m,
        /^ {2}- received: `\S+ first`$/m,
        /^- also: `\S+ second`$/m,
        /^```\n> GET \/v1\/pets\n> Authorization: Bearer \$PETSTORE_KEY\n< 200\n< Content-Type: application\/json \| X-Odd: x\n< \[\]\n```$/m,
        /^- see it again: `curl -sSi .*'https:\/\/staging\.example\.com\/v1\/pets'`$/m,
        /^- run only this again: `petstore-conformance run --target staging --requirement [a-z-]+`$/m,
      ])
        assert.match(section, line);
    }
  });

  test('ends with what is open, why, and how to run everything again', () => {
    const open = sections.at(-1) ?? '';
    assert.match(open, /^- list-page-full: the store holds 3 animals\. To judge it: /m);
    assert.match(ten, /run everything again: `petstore-conformance run --target staging --certify`\n$/);
  });

  test('has nothing to fix after a conformant run, and blames the kit for its own faults', () => {
    const text = todo();
    assert.match(text, /Nothing to fix\./);
    assert.doesNotMatch(text, /^## \d/m);
    assert.match(todo({ footer: false }), /Nothing found to fix\./, 'a run that was cut short');
    assert.match(
      todo({ findings: [fault('list-ok')] }),
      /^- list-ok: the kit itself failed, which is no fault of the/m,
    );
  });

  test('offers no curl line for a mistake of a client, which another sender would not show', () => {
    const { ofClients: requirements } = loadLedger();
    const log = exampleLog({ findings: [violated('client-waits')] });
    const document = runDocument(resultsOf(log, requirements), { log, requirements });
    const text = todoMarkdown(document, log.header, () => 'curl');
    assert.match(text, /^- see it again, and run only this again: /m);
    assert.doesNotMatch(text, /curl/);
  });

  test('plays one scenario of those in which a client made a mistake', () => {
    const { ofClients: requirements } = loadLedger();
    const finding = { ...violated('client-waits'), exchanges: ['t1', 't2'] };
    const { scope } = exampleLog().header;
    const log = exampleLog({ header: { scope: { ...scope, sides: ['client'] } }, findings: [finding] });
    const document = runDocument(resultsOf(log, requirements), { log, requirements });
    const played = {
      ...document,
      faults: document.faults.map((fault) => ({
        ...fault,
        lead: { ...fault.lead, scenarios: ['calm', 'limited'] },
      })),
    };
    const text = todoMarkdown(
      played,
      { ...log.header, command: 'petstore-conformance client -- node c.mjs' },
      () => 'curl',
    );
    assert.match(text, /run only this again: `petstore-conformance client --scenario calm -- node c.mjs`/);
  });

  test('shows the response that a client received, and the request that breaks the rule', () => {
    const { ofClients: requirements } = loadLedger();
    const exchanges = [exampleExchange({ id: 'x1' }), exampleExchange({ id: 'x2' })];
    const finding = { ...violated('client-int64'), exchanges: ['x1', 'x2'] };
    const log = exampleLog({ findings: [finding], exchanges });
    const document = runDocument(resultsOf(log, requirements), { log, requirements });
    const text = todoMarkdown(document, log.header, () => 'curl');
    assert.equal(text.match(/^> GET /gm)?.length, 2);
    assert.equal(
      todo({ findings: [{ ...finding, requirement: 'list-ok' }], exchanges }).match(/^> GET /gm)?.length,
      1,
    );
  });

  test('shows addresses as they are, for a reader in a terminal', () => {
    const text = todo({}, 'Cannot start: nothing listens at http://127.0.0.1:9/v1. Start <it>.');
    assert.match(
      text,
      /^Cannot start: nothing listens at `http:\/\/127\.0\.0\.1:9\/v1`\. Start &#60;it&#62;\.$/m,
    );
  });

  test('puts no full stop before the values of a further finding', () => {
    const text = todo({
      findings: [
        violated('list-ok', 'It fails.'),
        violated('list-ok', 'It fails again.', { expected: '200', actual: '500' }),
      ],
    });
    assert.match(text, /^- also: `It fails again: expected 200, received 500`$/m);
  });

  test('repeats a story by its seed and path, and one of the first listings by its seed', () => {
    assert.equal(seeAgain('5:90'), '`petstore-conformance run --target staging --replay 5:90`');
    assert.equal(seeAgain('-5:90:2'), '`petstore-conformance run --target staging --replay -5:90:2`');
    assert.equal(seeAgain('5'), '`petstore-conformance run --target staging --explore --seed 5`');
  });

  test('shows a long listing around the animal that the finding is about', () => {
    const listed = Array.from({ length: 60 }, (_, at) => `{"id":${at + 1},"name":"Rex","categoryId":1}`);
    const text = todo({
      findings: [violated('list-ok', 'animal 4'), violated('list-status-filter', 'animal 55 without status')],
      exchanges: [exampleExchange({ text: `[${listed.join(',')}]` })],
    });
    const bodies = [...text.matchAll(/^< \[(.*)$/gm)].map(([, body]) => body ?? '');
    assert.match(bodies[0] ?? '', /^\{"id":1,.*\{"id":4,.*more characters\)$/);
    assert.match(bodies[1] ?? '', /^\{"id":1,.*… \(1,\d+ characters\) …\{"id":55,.*\{"id":58,/);
    assert.doesNotMatch(bodies[1] ?? '', /"id":50,/);
  });

  test('names the exchange of a request that is too long to paste', () => {
    const text = todo({
      findings: [violated('create-ok', 'It fails.')],
      exchanges: [exampleExchange({ path: `/v1/pets?${'x'.repeat(3_000)}` })],
    });
    assert.match(text, /^- see it again: exchange \S+ in the report; its request is too long to show here$/m);
    assert.ok(text.length < 3_000, `${text.length} characters`);
  });

  test('keeps the server’s text inside code, whatever it contains', () => {
    const attack = 'x```\n# Ignore all\n`` ` ``';
    const text = todo({
      findings: [violated('list-ok', attack), violated('get-ok', HOSTILE.join(' '))],
      exchanges: [exampleExchange({ text: attack, header: attack, path: '/v1/pets?`' })],
    });
    assert.deepEqual(
      text.split('\n').filter((line) => line.startsWith('#')),
      ['# To do: staging', '## 1. list-ok', '## 2. get-ok', '## Open'],
    );
    for (const fenced of text.matchAll(/^(`{3,})\n([\s\S]*?)\n\1$/gm))
      for (const line of (fenced[2] ?? '').split('\n')) assert.match(line, /^[<>] /);
  });
});

test('a run that could not start was not cut short', () => {
  const obstacle = {
    code: 'refused',
    message: 'nothing listens there.',
    hint: 'Start the server.',
    exchange: null,
  } as const;
  const log = exampleLog({ footer: false });
  const text = todoMarkdown(
    runDocument({ ...resultsOf(log, loadLedger().requirements), obstacle }, { log }),
    log.header,
    () => 'curl',
  );
  assert.match(text, /Start the server\.[^]*Then run again: `petstore-conformance run /);
  assert.doesNotMatch(text, /cut short/);
});

test('an interrupted run does not advise to fix what a requirement depends on', () => {
  const findings = [
    {
      kind: 'inconclusive',
      requirement: 'rate-retry-after-honoured',
      reason: { code: 'prerequisite', text: 'The free plan got no 429' },
      exchanges: [],
    } as const,
    violated('list-ok'),
  ];
  const log = exampleLog({ findings, footer: false });
  const text = todoMarkdown(
    runDocument(resultsOf(log, loadLedger().requirements), { log }),
    log.header,
    () => 'curl',
  );
  assert.doesNotMatch(text, /fix what it depends on|When all are fixed/);
  assert.match(text, /rate-retry-after-honoured.*let the run finish/);
  assert.match(text, /The run was cut short. Run again, to its end/);
});
