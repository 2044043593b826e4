import { dayOf } from '../../../base/kernel/day.js';
import type { RequirementResult } from '../../../outcome/results/results.js';
import { certificationOf, makeCertificate } from '../../../outcome/acceptance/certificate.js';
import { FILES } from '../../../log/files.js';
import { clockBound, risksLeft } from '../../../outcome/words/bounds.js';
import { CHANGES, changeLabel } from '../../../outcome/words/changes.js';
import { capital, count, counted, grouped, moment } from '../../../base/kernel/format.js';
import { byPartly, REDUCED, inPart } from '../../../outcome/words/outcomes.js';
import { scopedVerdictOf, scopedVerdictWords } from '../../../outcome/words/scoped-verdict.js';
import { isOfClock, ownAnimals, ownAnimalsWords } from '../../../outcome/words/remarks.js';
import { byKindOfReason, isBeyondOneRun } from '../../../outcome/words/reasons.js';
import { AMOUNTS } from '../../amounts.js';
import type { Comparison, PageInput } from '../input.js';
import { BeforeYouRely } from '../markup/head.js';
import { Fold, harmless, IdLink, Ids, Items } from '../markup/lists.js';
import { Text } from './text.js';

export const Asides = (input: PageInput) => (
  <div class="asides">
    <BeforeYouRely remarks={doubtsOf(input)} />
    <CertificateState {...input} />
    <NotTested {...input} />
    {input.comparison && <Changes comparison={input.comparison} />}
  </div>
);

function doubtsOf({ document: { results }, log }: PageInput): readonly string[] {
  const { header, preflight } = log;
  const { target, startedAt } = header;
  const { writes, asOf } = header.scope;
  const animals = ownAnimals(results, log);
  const isClockSaid = clockBound(results) !== null;
  return [
    target.exclusive
      ? ''
      : 'The keys are declared as shared: requests of other users cannot be distinguished from requests of this run.',
    target.production ? 'This is a production system.' : '',
    writes ? '' : 'Writes were off: the run sent no request to create an animal.',
    asOf === dayOf(startedAt) ? '' : `The run was judged as of ${asOf}, not as of its own date.`,
    // The sentence above has a clock that is far off.
    ...(preflight?.remarks ?? []).filter((text) => !isClockSaid || !isOfClock(text)).map(capital),
    // Mentions the number only once it prevents a judgement.
    animals.cost.length > 0 ? ownAnimalsWords(animals).join(' ') : '',
  ].filter(Boolean);
}

function CertificateState({ document: { results }, log }: PageInput) {
  if (!log.header.acceptance?.certificate) return null;
  // The page shows no checksum of the log.
  const certificate = makeCertificate(results, log, '');
  if (certificate.kind === 'refusal') {
    const { reasons } = certificate;
    const left = reasons.length - AMOUNTS.page.reasons;
    return (
      <section>
        <h2>No certificate</h2>
        <Items items={reasons.slice(0, AMOUNTS.page.reasons)} />
        {left > 0 && <p class="note">and {counted(left, 'more reason')}; the run printed all of them.</p>}
      </section>
    );
  }
  const { statement, validUntil } = certificate;
  return (
    <section>
      <h2>Certificate</h2>
      <p>
        <Text longest={AMOUNTS.page.statementCharacters}>{statement}</Text>
      </p>
      <p>
        <b>Valid until</b> {validUntil}
      </p>
      <p class="note">
        <a href={FILES.certificate}>{FILES.certificate}</a> and{' '}
        <a href={FILES.attestation}>{FILES.attestation}</a>; not signed yet.
      </p>
    </section>
  );
}

/**
 * Untested requirements with reasons, on the first screen, because silence reads as a pass. Musts come first
 * and complete, to match the bar above.
 */
function NotTested({ document: { results, rows, untested: aside }, log }: PageInput) {
  const required = aside.filter(({ level }) => level === 'must');
  const others = aside.filter((row) => row.level !== 'must' && !isBeyondOneRun(row));
  const beyond = aside.length - required.length - others.length;
  const { inconclusive } = results.counts;
  const demanded = rows.filter(({ level, outcome }) => level === 'must' && outcome === 'inconclusive').length;
  // The sentence of a certificate says them already.
  const isCertified = certificationOf(results, log.header)?.kind === 'certified';
  const risks = isCertified ? [] : risksLeft(results);
  const partly = byPartly(rows);
  const inPartOnly = (
    <Items
      items={partly.map(({ text, requirements }) => (
        <>
          <Names requirements={requirements} /> {REDUCED}; not tested: {harmless(text)}
        </>
      ))}
    />
  );
  return (
    <section>
      <h2>Not tested</h2>
      {aside.length === beyond && partly.length === 0 && risks.length + inconclusive === 0 && (
        <p>Everything that a request can show was tested.</p>
      )}
      {inconclusive > 0 && (
        <p>
          {counted(inconclusive, 'requirement')} in scope
          {demanded > 0 && demanded < inconclusive && `, ${count(demanded)} of them required,`}{' '}
          {results.complete ? 'could not be determined' : 'had not been judged when the run ended'}; see{' '}
          <a href="#inconclusive">how to test {inconclusive === 1 ? 'it' : 'them'}</a>.
        </p>
      )}
      <Items items={risks.map((risk) => harmless(capital(risk)))} />
      {required.length + others.length > 0 && (
        <Fold title={`${counted(required.length + others.length, 'requirement')}, by reason`}>
          <Reasons lead={counted(required.length, 'required behaviour')} rows={required} />
          <Reasons
            lead={
              required.length > 0
                ? `And ${count(others.length)} that do not affect conformance`
                : 'No required behaviour. Others'
            }
            rows={others}
          />
        </Fold>
      )}
      {partly.length > AMOUNTS.page.unfoldedCoverage ? (
        <Fold title={`${counted(inPart(rows).length, 'requirement')} ${REDUCED}`}>{inPartOnly}</Fold>
      ) : (
        partly.length > 0 && inPartOnly
      )}
      {beyond > 0 && (
        <p class="note">
          {counted(beyond, 'statement')} that no request can show {beyond === 1 ? 'is' : 'are'} listed under{' '}
          <a href="#how-far-to-trust">how far to trust this</a>.
        </p>
      )}
    </section>
  );
}

const Reasons = ({ lead, rows }: { readonly lead: string; readonly rows: readonly RequirementResult[] }) =>
  rows.length > 0 && (
    <>
      <p>{lead}:</p>
      <Items
        items={byKindOfReason(rows).map(({ text, requirements }) => (
          <>
            {harmless(capital(text))}: <Names requirements={requirements} />
          </>
        ))}
      />
    </>
  );

function Names({ requirements }: { readonly requirements: readonly RequirementResult[] }) {
  const ids = requirements.map(({ id }) => id);
  return ids.length <= AMOUNTS.page.namedRows ? (
    <Ids ids={ids} />
  ) : (
    <>
      {count(ids.length)} requirements, among them <IdLink id={ids[0] ?? ''} /> and{' '}
      <IdLink id={ids.at(-1) ?? ''} />
    </>
  );
}

function Changes({
  comparison: { against, changes, environments = null, remarks = [] },
}: {
  readonly comparison: Comparison;
}) {
  const kinds = grouped(changes, ({ kind }) => kind);
  return (
    <section>
      <h2>Changed</h2>
      <p>
        Compared with <Text longest={120}>{against.target.name}</Text> of{' '}
        <Text>{moment(against.startedAt)}</Text>{' '}
        <span class="note">({scopedVerdictWords(scopedVerdictOf(against)).toLowerCase()})</span>
        {changes.length === 0 ? ': nothing.' : ':'}
      </p>
      {changes.length > 0 && (
        <Items
          items={[...kinds].map(([kind, members]) => (
            <span class={CHANGES[kind].glyph === 'failed' ? 'ink-failed' : undefined}>
              {changeLabel(kind, environments)}:{' '}
              <Ids ids={members.map(({ id }) => id)} most={AMOUNTS.page.changedRows} />
            </span>
          ))}
        />
      )}
      {remarks.map((remark) => (
        <p class="note">{harmless(remark)}</p>
      ))}
    </section>
  );
}
