import {
  ENTRY_STATES,
  type EntryState,
  type Register,
  type RegisterEntry,
} from '../../../outcome/acceptance/register.js';
import { AMOUNTS } from '../../amounts.js';
import { asShared } from '../../../outcome/words/as-started.js';
import { ageWords } from '../../../outcome/acceptance/validity.js';
import type { Outcome } from '../../../judge/verdict.js';
import { capital, counted, grouped, listed } from '../../../base/kernel/format.js';
import { subjectText } from '../../../wire/targets/subject.js';
import { isPageTitled, renderDocument } from '../document.js';
import { Head } from '../markup/head.js';
import { CommandLine, Facts, Fold, harmless, Items } from '../markup/lists.js';
import { Glyph } from '../parts/glyph.js';
import { Headline, Text } from '../parts/text.js';
import { Table, textColumns } from '../markup/table.js';

const TITLE = 'Certificates: ';

export const isRegisterPage = isPageTitled(TITLE);

/** `until`: words before the last day. */
const STATES: Readonly<
  Record<EntryState, { readonly title: string; readonly glyph: Outcome; readonly until: string }>
> = {
  broken: { title: 'Broken', glyph: 'failed', until: 'it claims to be valid until' },
  unchecked: {
    title: 'Not checked',
    glyph: 'inconclusive',
    until: 'it claims to be valid until',
  },
  expired: { title: 'Expired', glyph: 'warned', until: 'its time ended on' },
  valid: { title: 'Valid', glyph: 'passed', until: 'valid until' },
};

/** “5 certificates on 2026-11-26: 1 broken, 1 expired and 3 valid.” */
export function registerSentence({ entries, asOf }: Register): string {
  if (entries.length === 0) return 'This folder has no certificate.';
  const amounts = ENTRY_STATES.flatMap((state) => {
    const amount = entries.filter((entry) => entry.state === state).length;
    return amount === 0 ? [] : [`${amount} ${STATES[state].title.toLowerCase()}`];
  });
  return `${counted(entries.length, 'certificate')} on ${asOf}: ${listed(amounts)}.`;
}

/** Broken certificates come first, with the reason. */
export function registerPage(register: Register): string {
  const { entries, kit, skipped = [] } = register;
  const sentence = registerSentence(register);
  const states = grouped(entries, ({ state }) => state);
  return renderDocument({
    looks: 'several',
    title: `${TITLE}${sentence}`,
    description: sentence,
    body: (
      <>
        <Head
          glyph={null}
          word="Certificates"
          judge={`verified by ${kit.name} ${kit.version}`}
          sentence={<Headline text={sentence} />}
        />
        <main>
          {entries.length > 0 && (
            <section>
              <h2>Overview</h2>
              <Overview entries={entries} />
            </section>
          )}
          {[...states].map(([state, members]) => (
            <section>
              <h2>
                {STATES[state].title} <span class="note">{members.length}</span>
              </h2>
              {members.map((entry) => (
                <Entry entry={entry} />
              ))}
            </section>
          ))}
          <section>
            <h2>What this shows</h2>
            <p>
              Each certificate was computed again from its log when this page was made. That shows that
              certificate and log agree. It does not show who made them: check the signatures for that.
            </p>
            {skipped.length > 0 && (
              <>
                <p>Not read:</p>
                <Items items={skipped.map(({ file, why }) => harmless(`${file} (${why})`))} />
              </>
            )}
          </section>
        </main>
      </>
    ),
  });
}

const Overview = ({ entries }: { readonly entries: readonly RegisterEntry[] }) => (
  <Table
    label="All certificates"
    class="dense"
    columns={['Implementation', ...textColumns('Standing', 'Version', 'Last day', 'Plans')]}
    rows={entries.map((entry) => [
      <a href={`#${encodeURIComponent(entry.file)}`}>{nameOf(entry)}</a>,
      <span class={`ink-${STATES[entry.state].glyph}`}>
        <Glyph outcome={STATES[entry.state].glyph} /> {STATES[entry.state].title.toLowerCase()}
      </span>,
      entry.claims?.label ?? '–',
      entry.claims?.validUntil ?? '–',
      entry.claims?.plans.map(capital).join(', ') || '–',
    ])}
  />
);

const nameOf = ({ claims, file }: RegisterEntry): string => claims?.target.split(' ')[0] || file;

const FileLink = ({ file }: { readonly file: string }) => (
  <a href={file.split('/').map(encodeURIComponent).join('/')}>{harmless(file)}</a>
);

function Entry({ entry }: { readonly entry: RegisterEntry }) {
  const { file, copies = [], state, reasons, claims, ageDays } = entry;
  const { glyph } = STATES[state];
  return (
    <div class="figure" id={file}>
      <h3>
        <span class={`ink-${glyph}`}>
          <Glyph outcome={glyph} />
        </span>{' '}
        {harmless(nameOf(entry))}
        {claims?.label !== undefined && <span class="note"> build {harmless(claims.label)}</span>}
      </h3>
      {state === 'broken' && (
        <div class="ink-failed">
          <Items items={reasons} />
        </div>
      )}
      {claims !== null && (
        <p>
          {state === 'broken' && <b>It claims, and its log does not show: </b>}
          <Text longest={AMOUNTS.page.statementCharacters}>{claims.statement}</Text>
        </p>
      )}
      <Facts
        class="identity"
        facts={[
          state === 'unchecked' && ['Standing', reasons.join(' ')],
          ['Implementation', claims?.target ?? 'not readable'],
          claims !== null && ['Version', claims.label ?? 'not named'],
          claims !== null && [
            'Said to be',
            claims.subject.length === 0 ? (
              'nothing; the operator named no artefact'
            ) : (
              <Items class="digests" items={claims.subject.map(subjectText)} />
            ),
          ],
          claims !== null && ['Covered', claims.covers.join('; ')],
          ageDays !== null && [
            'Age',
            ageWords(ageDays),
            claims?.validUntil === undefined
              ? 'it names no end'
              : `${STATES[state].until} ${claims.validUntil}`,
          ],
          claims !== null && ['Made with', claims.kit],
          ['File', <FileLink file={file} />],
          copies.length > 0 && [
            'The same as',
            <Items
              items={copies.map((copy) => (
                <FileLink file={copy} />
              ))}
            />,
          ],
        ]}
      />
      {claims !== null && (
        <>
          <Fold title={`Not covered: ${counted(claims.notCovered.length, 'gap')}`}>
            <Items items={claims.notCovered} />
          </Fold>
          <Fold title="How to reproduce">
            <CommandLine text={claims.reproduce} />
            <CommandLine text={asShared(`petstore-conformance verify ${file}`)} />
          </Fold>
        </>
      )}
    </div>
  );
}
