import type { VNode } from 'preact';
import type { RequirementResult, Results } from '../../../verdict/results.js';
import { plansBound } from '../../../words/bounds.js';
import { capital, count, counted } from '../../../format/format.js';
import { byKindOfReason, isBeyondOneRun } from '../../../words/reasons.js';
import { byPartly, REDUCED, inPart } from '../../../words/partly.js';
import { Text } from './text.js';

/** Most rows shown unfolded, so that failures stay in view. */
const MOST_PARTLY = 2;

/** Most ids in one line; more are counted. */
const MOST_NAMED = 4;

/**
 * Untested requirements with reasons, on the first screen, because silence reads as a pass. Musts come first and complete,
 * to match the bar above.
 */
export function NotTested({ results }: { readonly results: Results }): VNode {
  const aside = results.requirements.filter(({ outcome }) => outcome === 'not-applicable');
  const required = aside.filter(({ level }) => level === 'must');
  const others = aside.filter((row) => row.level !== 'must' && !isBeyondOneRun(row));
  const beyond = aside.length - required.length - others.length;
  const demanded = results.requirements.filter(
    ({ level, outcome }) => level === 'must' && outcome === 'inconclusive',
  ).length;
  const plans = plansBound(results);
  const partly = byPartly(results.requirements);
  return (
    <section>
      <h2>Not tested</h2>
      {aside.length === beyond && partly.length === 0 && plans === null && results.counts.inconclusive === 0 && (
        <p>Everything that a request can show was tested.</p>
      )}
      {results.counts.inconclusive > 0 && (
        <p>
          {counted(results.counts.inconclusive, 'requirement')} in scope
          {demanded > 0 && demanded < results.counts.inconclusive && `, ${count(demanded)} of them required,`}{' '}
          {results.complete ? 'could not be determined' : 'were not judged when the run ended'}; see{' '}
          <a href="#open">how to test them</a>.
        </p>
      )}
      {required.length > 0 && (
        <>
          <p>{counted(required.length, 'required behaviour')}:</p>
          <Reasons rows={required} />
        </>
      )}
      {others.length > 0 && (
        <>
          <p>
            {required.length > 0
              ? `And ${count(others.length)} that do not affect conformance:`
              : 'No required behaviour. Others:'}
          </p>
          <Reasons rows={others} />
        </>
      )}
      {partly.length > MOST_PARTLY ? (
        <details class="fold">
          <summary>
            {counted(inPart(results.requirements).length, 'requirement')} {REDUCED}
          </summary>
          <Partly partly={partly} />
        </details>
      ) : (
        partly.length > 0 && <Partly partly={partly} />
      )}
      {beyond > 0 && (
        <p class="note">
          {counted(beyond, 'statement')} that no request can show {beyond === 1 ? 'is' : 'are'} listed under{' '}
          <a href="#trust">how far to trust this</a>.
        </p>
      )}
    </section>
  );
}

/** Untested parts of passed rows. */
const Partly = ({ partly }: { readonly partly: ReturnType<typeof byPartly> }): VNode => (
  <ul class="reasons">
    {partly.map(({ text, requirements }) => (
      <li>
        <Names requirements={requirements} /> {REDUCED}; not tested: <Text longest={240}>{text}</Text>
      </li>
    ))}
  </ul>
);

/** Rows that were not judged, grouped by reason. */
const Reasons = ({ rows }: { readonly rows: readonly RequirementResult[] }): VNode => (
  <ul class="reasons">
    {byKindOfReason(rows).map(({ text, requirements }) => (
      <li>
        <Text longest={240}>{capital(text)}</Text>: <Names requirements={requirements} />
      </li>
    ))}
  </ul>
);

/** Requirements as links, or their number when many. */
function Names({ requirements }: { readonly requirements: readonly RequirementResult[] }): VNode {
  if (requirements.length > MOST_NAMED)
    return (
      <>
        {count(requirements.length)} requirements, among them <IdLink id={requirements[0]?.id ?? ''} /> and{' '}
        <IdLink id={requirements.at(-1)?.id ?? ''} />
      </>
    );
  return (
    <>
      {requirements.map(({ id }, index) => (
        <>
          {index > 0 && ', '}
          <IdLink id={id} />
        </>
      ))}
    </>
  );
}

/** A requirement's id, linked to its card. */
export function IdLink({ id }: { readonly id: string }): VNode {
  return (
    <a class="id" href={`#${id}`}>
      {id}
    </a>
  );
}
