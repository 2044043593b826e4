import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import * as fc from 'fast-check';
import { anyText } from '../../base/kernel/any-text.test.support.js';
import { parse } from 'junit2json';
import { loadLedger } from '../../base/interface/ledger.js';
import { junitXml } from './junit.js';
import {
  exampleExchange,
  exampleDocument,
  exampleResults,
  fault,
  HOSTILE,
  inconclusive,
  notApplicable,
  observed,
  violated,
} from '../example-run.test.support.js';
import { runDocument } from '../run-document.js';
import { attribute, readXml, type XmlElement } from '../strict-xml.test.support.js';

/**
 * junit-10.xsd, with which Jenkins' xUnit plug-in validates: attributes, required attributes and children per
 * element. Its `testcase` has no `properties`; Jenkins' JUnit plug-in reads them there, so `validate` takes
 * them unless told otherwise.
 */
const SCHEMA: Readonly<
  Record<string, { attributes: string[]; required: string[]; children: string[]; text: boolean }>
> = {
  testsuites: {
    attributes: ['name', 'time', 'tests', 'failures', 'errors'],
    required: [],
    children: ['testsuite'],
    text: false,
  },
  testsuite: {
    attributes: [
      'name',
      'tests',
      'failures',
      'errors',
      'group',
      'time',
      'skipped',
      'timestamp',
      'hostname',
      'id',
      'package',
      'file',
      'log',
      'url',
    ],
    required: ['name', 'tests', 'failures', 'errors'],
    children: ['testsuite', 'properties', 'testcase', 'system-out', 'system-err'],
    text: false,
  },
  properties: { attributes: [], required: [], children: ['property'], text: false },
  property: { attributes: ['name', 'value'], required: ['name', 'value'], children: [], text: false },
  testcase: {
    attributes: ['name', 'time', 'classname', 'group'],
    required: ['name'],
    children: ['skipped', 'error', 'failure', 'system-out', 'system-err'],
    text: false,
  },
  failure: { attributes: ['type', 'message'], required: [], children: [], text: true },
  error: { attributes: ['type', 'message'], required: [], children: [], text: true },
  skipped: { attributes: ['type', 'message'], required: [], children: [], text: true },
  'system-out': { attributes: [], required: [], children: [], text: true },
};

function validate(element: XmlElement, withProperties = true): void {
  const rule = SCHEMA[element.name];
  assert.ok(rule, `<${element.name}> is in the schema`);
  for (const [name] of element.attributes)
    assert.ok(rule.attributes.includes(name), `${element.name} may have ${name}`);
  for (const name of rule.required)
    assert.notEqual(attribute(element, name), undefined, `${element.name} has ${name}`);
  if (!rule.text) assert.equal(element.text.trim(), '', `${element.name} has no text`);
  const time = attribute(element, 'time');
  if (time !== undefined) assert.match(time, /^(([0-9]{0,3},)*[0-9]{3}|[0-9]{0,3})*(\.[0-9]*)?$/);
  for (const child of element.children) {
    const isExtra = withProperties && element.name === 'testcase' && child === element.children[0];
    assert.ok(
      rule.children.includes(child.name) || (isExtra && child.name === 'properties'),
      `${element.name} may hold ${child.name}`,
    );
    validate(child, withProperties);
  }
}

const casesOf = (root: XmlElement): readonly XmlElement[] =>
  root.children.flatMap((suite) => suite.children.filter((child) => child.name === 'testcase'));

const caseOf = (xml: string, id: string): XmlElement => {
  const found = casesOf(readXml(xml)).find((element) => attribute(element, 'name') === id);
  assert.ok(found, `there is a case ${id}`);
  return found;
};

/** Children of a case without its properties. */
const shownIn = ({ children }: XmlElement): readonly XmlElement[] =>
  children.filter(({ name }) => name !== 'properties');

describe('junit.xml', () => {
  const mixed = exampleResults({
    findings: [
      violated('list-ok', 'GET /pets answers 500'),
      violated('auth-challenge'),
      inconclusive('list-limit-default', 'the store holds 3 animals'),
      inconclusive('list-page-full'),
      notApplicable('rate-per-key'),
      fault('pet-shape', 'the check threw'),
    ],
  });

  const { requirements } = loadLedger();

  test('has for each case what a test management tool needs, and the properties of the user', () => {
    const own = new Map([
      ['list-ok', [['test_key', 'PET-12'] as const, ['requirements', 'PET-1 & "2"'] as const]],
    ]);
    const xml = junitXml(runDocument(mixed, { requirements }), null, own);
    validate(readXml(xml));
    const propertiesOf = (id: string): Readonly<Record<string, string>> =>
      Object.fromEntries(
        (caseOf(xml, id).children.find(({ name }) => name === 'properties')?.children ?? []).map((one) => [
          attribute(one, 'name') ?? '',
          attribute(one, 'value') ?? '',
        ]),
      );
    assert.deepEqual(propertiesOf('list-ok'), {
      level: 'must',
      part: '4',
      place: 'Endpoints, List all animals',
      statement: 'The plain listing returns 200.',
      test_key: 'PET-12',
      requirements: 'PET-1 & "2"',
    });
    assert.equal(propertiesOf('list-limit-default')['reason'], 'too-little-data');
  });

  test('follows junit-10.xsd to the letter without properties of cases', () => {
    const xml = junitXml(runDocument(mixed, { requirements }), null, 'none');
    validate(readXml(xml), false);
    assert.throws(
      () => validate(readXml(junitXml(runDocument(mixed))), false),
      /testcase may hold properties/,
    );
  });

  test('is read by a JUnit reader in use', async () => {
    const read = await parse(junitXml(runDocument(mixed, { requirements })));
    assert.ok(read && 'testsuite' in read);
    const suites = read.testsuite ?? [];
    const cases = suites.flatMap(({ testcase = [] }) => testcase);
    assert.equal(cases.length, mixed.requirements.length);
    assert.deepEqual([read.failures, read.errors], [1, 2]);
    assert.equal(cases.filter(({ failure }) => failure !== undefined).length, 1);
    const failed = cases.find(({ name }) => name === 'list-ok');
    assert.match(failed?.failure?.[0]?.message ?? '', /GET \/pets answers 500/);
    // Its types lack them, as those of cases are recent.
    assert.match(JSON.stringify(failed), /"properties":\[\{"name":"level","value":"must"\}/);
  });

  test('follows the schema and has one case per requirement', () => {
    const root = readXml(junitXml(runDocument(mixed)));
    validate(root);
    assert.deepEqual(
      new Set(casesOf(root).map((element) => attribute(element, 'name'))),
      new Set(mixed.requirements.map((row) => row.id)),
    );
    assert.equal(casesOf(root).length, mixed.requirements.length);
    for (const suite of root.children) {
      const cases = suite.children.filter((child) => child.name === 'testcase');
      const holding = (name: string) =>
        cases.filter((one) => one.children.some((child) => child.name === name)).length;
      assert.equal(attribute(suite, 'tests'), String(cases.length));
      assert.equal(attribute(suite, 'failures'), String(holding('failure')));
      assert.equal(attribute(suite, 'errors'), String(holding('error')));
      assert.equal(attribute(suite, 'skipped'), String(holding('skipped')));
    }
    assert.deepEqual([attribute(root, 'failures'), attribute(root, 'errors')], ['1', '2']);
  });

  const table = [
    ['list-ok', 'failure', 'failed', /^GET \/pets answers 500/],
    ['auth-challenge', 'system-out', undefined, /^warning: the target answers 500/],
    ['list-limit-default', 'error', 'inconclusive', /^could not be determined: the store holds 3 animals/],
    ['list-page-full', 'skipped', 'inconclusive', /^could not be determined/],
    ['rate-per-key', 'skipped', 'not-applicable', /^not tested: set aside/],
    ['pet-shape', 'error', 'error', /^kit fault, not a fault of the target: the check threw/],
    ['list-order', 'system-out', undefined, /observed: as usual/],
  ] as const;
  for (const [id, element, type, text] of table) {
    test(`shows ${id} as <${element}>`, () => {
      const [child, ...others] = shownIn(caseOf(junitXml(runDocument(mixed)), id));
      assert.deepEqual(others, []);
      assert.equal(child?.name, element);
      assert.equal(attribute(child, 'type'), type);
      assert.match(child.text, text);
      if (type !== undefined)
        assert.ok(child.text.startsWith(attribute(child, 'message') ?? '?'), 'both say it');
    });
  }

  test('shows a passed requirement as an empty case, classed by its part', () => {
    const passed = caseOf(junitXml(runDocument(mixed)), 'create-ok');
    assert.deepEqual(shownIn(passed), []);
    assert.equal(attribute(passed, 'classname'), 'petstore.4 Endpoints');
  });

  test('has no additional case and no failure for a conformant run', () => {
    const root = readXml(junitXml(exampleDocument()));
    assert.deepEqual([attribute(root, 'failures'), attribute(root, 'errors')], ['0', '0']);
    assert.ok(!casesOf(root).some((element) => attribute(element, 'name') === 'run'));
  });

  test('has an error for an interrupted run even if every "must" requirement passed', () => {
    const xml = junitXml(exampleDocument({ footer: false }));
    assert.match(caseOf(xml, 'run').children[0]?.text ?? '', /cut short/);
    assert.notEqual(attribute(readXml(xml), 'errors'), '0');
  });

  test('has an error if no requirement was tested', () => {
    const all = exampleResults().requirements.map((row) => notApplicable(row.id));
    const results = exampleResults({ findings: all });
    assert.equal(results.verdict, 'inconclusive');
    assert.equal(caseOf(junitXml(runDocument(results)), 'run').children[0]?.name, 'error');
  });

  test('stays well-formed and valid for any text from the target', () => {
    const sent = fc.oneof(fc.constantFrom(...HOSTILE), anyText(), fc.string());
    fc.assert(
      fc.property(sent, (text) => {
        const results = exampleResults({
          exchanges: [exampleExchange({ text, path: `/v1/pets?${text}` })],
          findings: [
            violated('list-ok', text),
            observed('list-order', text, text),
            inconclusive('list-filter-with-limit', text),
          ],
        });
        const xml = junitXml(runDocument(results));
        validate(readXml(xml));
        assert.ok(!xml.includes('[[ATTACHMENT'));
      }),
      { numRuns: 60 },
    );
  });

  test('keeps plain text unchanged', () => {
    const text = 'a < b && "c" > \'d\' &amp; &#0; &#x41; ]]> ü 🐾\nsecond line';
    const [failure] = shownIn(
      caseOf(junitXml(exampleDocument({ findings: [violated('list-ok', text)] })), 'list-ok'),
    );
    assert.ok(failure?.text.includes(`found:    ${text}`));
  });
});

test('a failure has the command line that repeats its exchange', () => {
  const results = exampleResults({ findings: [violated('list-ok')] });
  const [exchange] = results.exchanges;
  const xml = junitXml(runDocument(results), ({ id }) => `curl -sSi '${id}'`);
  if (exchange) assert.match(xml, new RegExp(`curl: {5}curl -sSi '${exchange.id}'`));
  assert.ok(exchange, 'the finding names an exchange');
});
