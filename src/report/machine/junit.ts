import { sum } from '../../base/kernel/format.js';
import { scopedVerdictOf, scopedVerdictWords } from '../../outcome/words/scoped-verdict.js';
import type { Results } from '../../outcome/results/results.js';
import type { RunDocument } from '../run-document.js';
import { propertiesOf as caseProperties, type CaseProperty, type OwnProperties } from './case-properties.js';
import { caseGroups, type CaseGroup, type CaseStatus, type ReportCase } from './cases.js';
import type { CurlOf } from './block-text.js';
import { WORST_FIRST } from '../../judge/verdict.js';
import { oneLine, visible } from '../../base/kernel/visible.js';
import { element, xmlDocument, type XmlElement } from './xml.js';

/**
 * Hides what XML forbids. Jenkins's attachment plug-in and GitLab fetch the file in `[[ATTACHMENT|path]]` of
 * an output, so that mark is broken.
 */
const xmlText = (text: string): string => visible(text).replaceAll('[[', '[ [');

/**
 * Returns junit.xml: one test suite for each part, one test case for each requirement. The elements and
 * attributes are those of junit-10.xsd, with which Jenkins' xUnit plug-in validates. It allows no `skipped`
 * in `testsuites`, and no `properties` in `testcase`, which Jenkins' JUnit plug-in, Xray and TestRail read.
 * Own properties `none` leave them out.
 *
 * The text appears twice, in the attribute `message` and in the element. Jenkins lists the attribute, and
 * GitLab shows only the element. `type` is the outcome or the reason's code.
 */
export function junitXml(
  document: RunDocument,
  curlOf: CurlOf | null = null,
  own: OwnProperties = new Map(),
): string {
  const { results } = document;
  const groups = caseGroups(document, curlOf);
  const cases = groups.flatMap((group) => group.cases);
  const root = element(
    'testsuites',
    {
      name: xmlText(oneLine(`petstore-conformance ${results.target.name}`)),
      tests: cases.length,
      failures: count(cases, 'failed'),
      errors: count(cases, 'error'),
      time: seconds(results.durationMs),
    },
    groups.map((group) => suiteOf(group, results, own)),
  );
  return `${visible(xmlDocument(root))}\n`;
}

function suiteOf({ title, cases }: CaseGroup, results: Results, own: OwnProperties): XmlElement {
  return element(
    'testsuite',
    {
      name: xmlText(oneLine(title)),
      tests: cases.length,
      failures: count(cases, 'failed'),
      errors: count(cases, 'error'),
      skipped: count(cases, 'skipped'),
      time: seconds(sum(cases, ({ ms }) => ms)),
      timestamp: results.startedAt,
    },
    [...propertyElements(propertiesOf(results)), ...cases.map((testCase) => caseOf(testCase, title, own))],
  );
}

function propertyElements(all: readonly CaseProperty[]): readonly XmlElement[] {
  if (all.length === 0) return [];
  const each = all.map(([name, value]) => element('property', { name, value: xmlText(oneLine(value)) }));
  return [element('properties', {}, each)];
}

const ELEMENTS = { failed: 'failure', error: 'error', skipped: 'skipped' } as const;

function caseOf(testCase: ReportCase, title: string, own: OwnProperties): XmlElement {
  const attributes = {
    name: xmlText(oneLine(testCase.id)),
    // Jenkins takes the text before the last dot as package, so the title must have no dot.
    classname: xmlText(oneLine(`petstore.${title.replaceAll('.', '-')}`)),
    time: seconds(testCase.ms),
  };
  const properties = testCase.row ? propertyElements(caseProperties(testCase.row, own)) : [];
  return element('testcase', attributes, [...properties, ...outputOf(testCase)]);
}

function outputOf(testCase: ReportCase): readonly XmlElement[] {
  const details = xmlText(testCase.details);
  if (testCase.status !== 'passed') {
    const attributes = { message: xmlText(oneLine(testCase.headline)), type: testCase.outcome };
    return [element(ELEMENTS[testCase.status], attributes, details)];
  }
  const isPlain = testCase.outcome === 'passed' && testCase.partly.length === 0;
  return isPlain ? [] : [element('system-out', {}, details)];
}

const propertiesOf = (results: Results): readonly CaseProperty[] => [
  ['verdict', results.verdict],
  ['standing', scopedVerdictWords(scopedVerdictOf(results))],
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
