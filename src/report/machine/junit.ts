import { standingOf, standingWords } from '../../outcome/words/standing.js';
import { create } from 'xmlbuilder2';
import type { Results } from '../../outcome/results/results.js';
import type { RunDocument } from '../run-document.js';
import { propertiesOf as caseProperties, type CaseProperty, type OwnProperties } from './case-properties.js';
import { caseGroups, type CaseGroup, type CaseStatus, type ReportCase, type CurlOf } from './cases.js';
import { WORST_FIRST } from '../../judge/verdict.js';
import { oneLine, visible } from '../../base/kernel/visible.js';

/**
 * Escapes text for xmlbuilder2. It escapes markup but keeps character references, and a target may send `&#0;`, so
 * ampersands are escaped here. `visible` hides what XML forbids. Jenkins's attachment plug-in and GitLab fetch the file in
 * `[[ATTACHMENT|path]]` of an output, so that mark is broken.
 */
const xmlText = (text: string): string => visible(text).replaceAll('[[', '[ [').replaceAll('&', '&amp;');

type XmlElement = ReturnType<ReturnType<typeof create>['ele']>;

/**
 * Returns junit.xml: one test suite for each part, one test case for each requirement. The elements and attributes are those
 * of junit-10.xsd, with which Jenkins' xUnit plug-in validates. It allows no `skipped` in `testsuites`, and no `properties` in
 * `testcase`, which Jenkins' JUnit plug-in, Xray and TestRail read. Own properties `none` leave them out.
 *
 * The text appears twice, in the attribute `message` and in the element. Jenkins lists the attribute, and GitLab shows only
 * the element. `type` is the outcome or the reason's code.
 */
export function junitXml(document: RunDocument, curlOf: CurlOf | null = null, own: OwnProperties = new Map()): string {
  const { results } = document;
  const groups = caseGroups(document, curlOf);
  const cases = groups.flatMap((group) => group.cases);
  const xml = create({ version: '1.0', encoding: 'UTF-8' });
  const root = xml.ele('testsuites', {
    name: xmlText(oneLine(`petstore-conformance ${results.target.name}`)),
    tests: cases.length,
    failures: count(cases, 'failed'),
    errors: count(cases, 'error'),
    time: seconds(results.durationMs),
  });
  for (const group of groups) addSuite(root, group, results, own);
  return `${visible(xml.end({ prettyPrint: true }))}\n`;
}

function addSuite(root: XmlElement, { title, cases }: CaseGroup, results: Results, own: OwnProperties): void {
  const suite = root.ele('testsuite', {
    name: xmlText(oneLine(title)),
    tests: cases.length,
    failures: count(cases, 'failed'),
    errors: count(cases, 'error'),
    skipped: count(cases, 'skipped'),
    time: seconds(cases.reduce((sum, { ms }) => sum + ms, 0)),
    timestamp: results.startedAt,
  });
  addProperties(suite, propertiesOf(results));
  for (const testCase of cases) addCase(suite, testCase, title, own);
}

function addProperties(element: XmlElement, all: readonly CaseProperty[]): void {
  if (all.length === 0) return;
  const properties = element.ele('properties');
  for (const [name, value] of all) properties.ele('property', { name, value: xmlText(oneLine(value)) });
}

const ELEMENTS = { failed: 'failure', error: 'error', skipped: 'skipped' } as const;

function addCase(suite: XmlElement, testCase: ReportCase, title: string, own: OwnProperties): void {
  const element = suite.ele('testcase', {
    name: xmlText(oneLine(testCase.id)),
    // Jenkins takes the text before the last dot as package, so the title must have no dot.
    classname: xmlText(oneLine(`petstore.${title.replaceAll('.', '-')}`)),
    time: seconds(testCase.ms),
  });
  if (testCase.row) addProperties(element, caseProperties(testCase.row, own));
  const attributes = { message: xmlText(oneLine(testCase.headline)), type: testCase.outcome };
  const details = xmlText(testCase.details);
  if (testCase.status !== 'passed') element.ele(ELEMENTS[testCase.status], attributes).txt(details);
  else if (testCase.outcome !== 'passed' || testCase.partly.length > 0) element.ele('system-out').txt(details);
}

const propertiesOf = (results: Results): readonly CaseProperty[] => [
  ['verdict', results.verdict],
  ['standing', standingWords(standingOf(results))],
  ['complete', String(results.complete)],
  ['target', `${results.target.name} ${results.target.baseUrl}`],
  ['interface', results.interface.version],
  ['kit', `${results.kit.name} ${results.kit.version}`],
  ['asOf', results.scope.asOf],
  ...(results.label === undefined ? [] : ([['label', results.label]] as const)),
  ...(results.ci?.commit === undefined ? [] : ([['commit', results.ci.commit]] as const)),
  ...WORST_FIRST.map((outcome) => [`count.${outcome}`, String(results.counts[outcome])] as const),
];

const count = (cases: readonly ReportCase[], status: CaseStatus): number =>
  cases.filter((testCase) => testCase.status === status).length;

/** Formats seconds; the schema allows no exponent. */
const seconds = (ms: number): string => (ms / 1000).toFixed(3);
