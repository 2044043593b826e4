import type { ComponentChildren } from 'preact';
import type { PreflightFacts } from '../../../log/record.js';
import { certificationOf } from '../../../outcome/acceptance/certificate.js';
import { FILES, PLAYWRIGHT_PAGE } from '../../../log/files.js';
import { asShared } from '../../../outcome/words/as-started.js';
import { VERDICT_LABELS } from '../../../outcome/words/outcomes.js';
import type { PageInput } from '../input.js';
import type { Proof, ProvenFlaw, ProvenVariant } from '../../proof.js';
import { capital, count, counted, duration, ended, moment } from '../../../base/kernel/format.js';
import { byReason, isUnselected } from '../../../outcome/words/reasons.js';
import { keyWords, ownAnimals, ownAnimalsWords } from '../../../outcome/words/remarks.js';
import { CommandLine, Facts, Fold, harmless, Ids, type Fact } from '../markup/lists.js';
import { Table } from '../markup/table.js';
import { ExchangeTable } from './exchange.js';
import { AMOUNTS } from '../../amounts.js';

const MOST = AMOUNTS.page.listed;

export const Confidence = (input: PageInput) => (
  <section id="how-far-to-trust">
    <h2>How far to trust this</h2>
    <p class="lead">
      A pass means that no response in this run violated the requirement. It does not mean that none ever
      will. The kit can find faults, but cannot prove their absence.
    </p>
    <h3>The proof of the kit</h3>
    <ProofView proof={input.proof ?? null} document={input.document} />
    <OutOfScope {...input} />
    <HowToRepeat {...input} />
    <Animals {...input} />
    <Traffic {...input} />
    <OtherFiles {...input} />
  </section>
);

/** Evidence of a run that could not start. */
export const Repeat = (input: PageInput) => (
  <section id="how-far-to-trust">
    <HowToRepeat {...input} />
    <Traffic {...input} />
    <OtherFiles {...input} />
  </section>
);

function OutOfScope({ document }: PageInput) {
  const groups = byReason(document.untested);
  return (
    <>
      <h3>Out of scope</h3>
      {groups.length === 0 ? (
        <p>Nothing: every requirement was tested.</p>
      ) : (
        <Facts
          class="scope"
          facts={groups.map(({ text, remedy, requirements }) => [
            <>
              {harmless(capital(ended(text)))}
              {remedy && <span class="note"> To test it: {remedy}.</span>}
            </>,
            <Ids ids={requirements.map(({ id }) => id)} between=" " />,
          ])}
        />
      )}
    </>
  );
}

function HowToRepeat({ document: { results }, log }: PageInput) {
  const { header, preflight } = log;
  const facts: readonly (Fact | null)[] = [
    ['Kit', `${results.kit.name} ${results.kit.version}`],
    ['Run', `${header.run}; each request carries it in User-Agent and traceparent`],
    ['Started, ended', `${moment(results.startedAt)}, ${moment(results.finishedAt)}`],
    ['Judged as of', header.scope.asOf],
    [
      'Requests',
      Object.entries(results.requests.byKey)
        .map(([key, amount]) => `${key} ${count(amount)}`)
        .join(', '),
    ],
    ['Key of the suites', header.scope.suiteKey],
    preflight && ['Before the run', preflightWords(preflight)],
    ['Interface document', header.contract],
    ['List of requirements', header.ledger],
  ];
  return (
    <>
      <h3>How to repeat it</h3>
      <CommandLine text={header.command} />
      <Facts class="identity" facts={facts} />
    </>
  );
}

function preflightWords(facts: PreflightFacts): string {
  const { reachableMs, animals, animalsComplete, limitSeen } = facts;
  const store =
    animals === null ? 'store not listed' : counted(animals, 'animal') + (animalsComplete ? '' : ' or more');
  return `reachable in ${duration(reachableMs)}, ${keyWords(facts)}, ${store}, limit ${limitSeen ?? 'not given'}`;
}

function Animals({ log, document: { results } }: PageInput) {
  const words = ownAnimalsWords(ownAnimals(results, log));
  if (log.created.length === 0 && words.length === 0) return null;
  return (
    <>
      <h3>Animals that this run left behind</h3>
      <p class="lead">
        {counted(log.created.length, 'animal')}. The interface has no way to remove them; an operator finds
        them by name.
      </p>
      {words.map((sentence) => (
        <p>{sentence}</p>
      ))}
      <Fold title="Names and ids">
        <Table
          label="Animals"
          class="dense animals"
          columns={['Id', ['Name', 'left wide']]}
          rows={log.created.slice(0, MOST).map(({ id, name }) => [id, name])}
        />
      </Fold>
    </>
  );
}

function Traffic({ log, document: { results } }: PageInput) {
  if (log.exchanges.length === 0) return null;
  const left = log.exchanges.length - MOST;
  return (
    <>
      <h3>{results.obstacle ? 'Requests sent' : 'All requests of the suites'}</h3>
      <Fold title={`${counted(log.exchanges.length, 'exchange')}, in the order of the run`}>
        <ExchangeTable label="All exchanges" exchanges={log.exchanges.slice(0, MOST)} />
        {left > 0 && <p class="note">and {count(left)} more in exchanges.har</p>}
      </Fold>
    </>
  );
}

const CERTIFICATES: readonly (readonly [file: string, what: string])[] = [
  [FILES.certificate, 'what this run certifies, and what it does not'],
  [FILES.attestation, 'the same as an in-toto Statement, for signing'],
];

function OtherFiles({ document: { results }, log }: PageInput) {
  const files: readonly (readonly [file: string, what: string])[] = [
    [FILES.log, 'the records of the run, source of all other files'],
    [FILES.results, 'the results for programs'],
    [FILES.junit, 'one test case per requirement'],
    [FILES.ctrf, 'the same in Common Test Report Format'],
    [FILES.har, 'the suites’ traffic, for a browser’s developer tools'],
    [FILES.summary, 'the verdict in Markdown'],
    [FILES.todo, 'what to fix, in order, for a terminal or a coding agent'],
    ...(certificationOf(results, log.header)?.kind === 'certified' ? CERTIFICATES : []),
    ...(log.settled.size > 0 ? ([[PLAYWRIGHT_PAGE, 'Playwright’s own report of the suites']] as const) : []),
  ];
  return (
    <>
      <h3>Other files</h3>
      <Facts class="identity" facts={files.map(([file, what]) => [<a href={file}>{file}</a>, what])} />
    </>
  );
}

interface ProofProps extends Pick<PageInput, 'document'> {
  readonly proof: Proof | null;
}

/**
 * The result of the kit's self-test; of its flaws those that a selected row shows, and with a selection no
 * variants.
 */
function ProofView({ proof, document: { rows, results } }: ProofProps) {
  const kit = results.kit.version;
  if (proof === null)
    return (
      <p>
        This page has no proof. <code>{asShared('petstore-conformance selftest')}</code> runs the kit against
        servers that are broken on purpose.
      </p>
    );
  const [flaws, variants] = [counted(proof.flaws.length, 'server'), counted(proof.variants.length, 'server')];
  const chosen = new Set(rows.flatMap((row) => (isUnselected(row) ? [] : [row.id])));
  const isWhole = chosen.size === rows.length;
  const shown = isWhole ? proof.flaws : proof.flaws.filter(({ turns }) => turns.some((id) => chosen.has(id)));
  const amount = counted(proof.flaws.length, 'flaw');
  const [missed, refused] = [
    proof.flaws.filter(({ caught }) => !caught),
    proof.variants.filter(({ held }) => !held),
  ];
  return (
    <>
      <p class={missed.length + refused.length === 0 ? undefined : 'ink-failed'}>
        Before release, this version was run against {flaws} with one mistake each. It caught{' '}
        {most(proof.flaws.length, missed)}. It was also run against {variants} that are unusual but correct,
        and {most(proof.variants.length, refused)} passed.
        <span class="note">{` Kit ${proof.kit}, ${moment(proof.at)}.`}</span>
      </p>
      {proof.kit !== kit && (
        <p class="ink-failed">This proof is of another version. The run used kit {kit}.</p>
      )}
      <Fold
        title={`The kill matrix: ${isWhole ? amount : `${count(shown.length)} of ${amount}, by the selection`}`}
      >
        <Table
          label="Flaws"
          class="matrix"
          columns={['The server’s mistake', 'Fails', 'Caught']}
          rows={shown.map((flaw) => [named(flaw), <Ids ids={flaw.turns} between=" " />, yes(flaw.caught)])}
        />
      </Fold>
      {isWhole && (
        <Fold title={counted(proof.variants.length, 'conformant variant')}>
          <Table
            label="Variants"
            class="matrix"
            columns={['Correct variant', 'Expected verdict', 'As expected']}
            rows={proof.variants.map((variant) => [
              named(variant),
              VERDICT_LABELS[variant.expect].toLowerCase(),
              yes(variant.held),
            ])}
          />
        </Fold>
      )}
    </>
  );
}

const most = (all: number, { length }: readonly unknown[]): string =>
  length === 0 ? 'every one' : `only ${count(all - length)}`;

const yes = (held: boolean): ComponentChildren => (held ? 'yes' : <b class="ink-failed">no</b>);

const named = ({ name, title }: ProvenFlaw | ProvenVariant) => (
  <>
    {title} <code class="note">{name}</code>
  </>
);
