import { nothingToFix } from '../../../outcome/words/scoped-verdict.js';
import type { ComponentChildren } from 'preact';
import { acceptedWords } from '../../../outcome/words/required-count.js';
import type { ReasonGroup } from '../../../outcome/words/reasons.js';
import { AMOUNTS } from '../../amounts.js';
import { firstFound, gistBlocks } from '../../rows/blocks.js';
import { rowsOf } from '../../rows/faults.js';
import type { Fault } from '../../rows/row-group.js';
import type { RowView } from '../../rows/row-view.js';
import type { PageInput } from '../input.js';
import { Gist, Said } from './blocks.js';
import { Glyph } from './glyph.js';
import { harmless, IdLink, Ids } from '../markup/lists.js';
import { partTitles } from '../../../base/interface/names.js';
import { capital, count, counted, ended, grouped, sum } from '../../../base/kernel/format.js';

export function FailureList({ document }: Pick<PageInput, 'document'>) {
  const { results, kitFaults, faults, warnings, open, blocked } = document;
  const ofKit = kitFaults.map((lead): Fault => ({
    lead,
    others: [],
    isFamily: false,
    blocks: [],
    isNew: false,
  }));
  const hasBroken = ofKit.length + faults.length > 0;
  const inconclusive = blocked.length + sum(open, ({ requirements }) => requirements.length);
  const ofThem = blocked.length === inconclusive ? '' : `${count(blocked.length)} of them `;
  const warned = sum(warnings, (fault) => rowsOf(fault).length);
  // An entry without its deviation, for example: the baseline has to be corrected.
  const isMet = results.baseline?.met ?? true;
  return (
    <section id="fix">
      <h2>{hasBroken ? 'What to fix' : isMet ? nothingToFix(results) : 'The baseline to correct'}</h2>
      {!hasBroken && (
        <p>
          {results.clean
            ? 'The traffic shows no violation. What did not occur in it was not judged.'
            : results.counts.passed > 0
              ? `Every required behaviour that was tested holds${results.accepted ? ' or is accepted' : ''}.`
              : 'Nothing failed, because nothing was tested.'}
        </p>
      )}
      <Lines faults={[...ofKit, ...faults]} />
      {warned > 0 && (
        <>
          <h3>
            {counted(warned, 'warning')}
            <span class="note"> a recommendation is not followed; this does not affect conformance</span>
          </h3>
          <Lines faults={warnings} />
        </>
      )}
      {inconclusive > 0 && (
        <>
          <h3 id="inconclusive">
            {count(inconclusive)} inconclusive
            <span class="note">
              {' '}
              in scope, but not determined by this run
              {blocked.length > 0 && `; ${ofThem}blocked by what failed above`}
            </span>
          </h3>
          {[...grouped(open, ({ remedy }) => remedy ?? '')].map(([remedy, groups]) => (
            <>
              {remedy !== '' && (
                <p class="part-of-list note">
                  To test {groups.flatMap(({ requirements }) => requirements).length === 1 ? 'it' : 'them'}:{' '}
                  {remedy}
                </p>
              )}
              <ul class="lines">
                {groups.map((group) => (
                  <OpenLine group={group} />
                ))}
              </ul>
            </>
          ))}
        </>
      )}
    </section>
  );
}

export function Accepted({ document: { results, accepted } }: Pick<PageInput, 'document'>) {
  const lines = accepted.flatMap((row) => (row.agreement ? [{ row, ...row.agreement }] : []));
  if (lines.length === 0) return null;
  return (
    <section id="accepted">
      <h2>{capital(acceptedWords(results))}</h2>
      <ul class="lines">
        {lines.map(({ row, reason, link, expires }) => (
          <Line row={row}>
            Accepted until {expires}: {harmless(reason)} (
            <a href={link} rel="noreferrer noopener">
              agreed
            </a>
            )
            <span class="behind note">
              <Said block={firstFound(row)} />
            </span>
          </Line>
        ))}
      </ul>
    </section>
  );
}

const Line = ({ row, children }: { readonly row: RowView; readonly children: ComponentChildren }) => (
  <li class={`row o-${row.shown}`}>
    <Glyph outcome={row.shown} />
    <IdLink id={row.id} />
    <span class="says">{children}</span>
  </li>
);

/** What is new apart, if it is not all; each grouped by part. */
function Lines({ faults }: { readonly faults: readonly Fault[] }) {
  const fresh = faults.filter(({ isNew }) => isNew);
  const known = faults.filter(({ isNew }) => !isNew);
  if (fresh.length === 0 || known.length === 0) return <LinesByPart faults={faults} />;
  return (
    <>
      <h3>
        New
        <span class="note"> against the earlier run or the baseline</span>
      </h3>
      <LinesByPart faults={fresh} />
      <h3>Known</h3>
      <LinesByPart faults={known} />
    </>
  );
}

/** Lines grouped by part where there are several, so that a team can divide a long list. */
function LinesByPart({ faults }: { readonly faults: readonly Fault[] }) {
  const parts = [...grouped(faults, ({ lead }) => lead.part)].toSorted(([one], [other]) => one - other);
  return (
    <>
      {parts.map(([part, own]) => (
        <>
          {parts.length > 1 && (
            <p class="part-of-list note">
              <b>{part}</b> {partTitles[part]}
              {own.length > AMOUNTS.page.uncountedLines && <span class="note"> · {count(own.length)}</span>}
            </p>
          )}
          <ul class="lines">
            {own.map((fault) => (
              <FaultLine {...fault} />
            ))}
          </ul>
        </>
      ))}
    </>
  );
}

const FaultLine = (fault: Fault) => (
  <Line row={fault.lead}>
    <Gist blocks={gistBlocks(fault, AMOUNTS.page.groups, true)} />
  </Line>
);

const OpenLine = ({ group: { text, requirements } }: { readonly group: ReasonGroup<RowView> }) => (
  <li class="row o-inconclusive open-line">
    <Glyph outcome="inconclusive" />
    <span class="says">{harmless(capital(ended(text)))}</span>
    <span class="names note">
      <Ids ids={requirements.map(({ id }) => id)} most={AMOUNTS.page.ids} between=" " />
    </span>
  </li>
);
