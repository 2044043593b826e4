import type { VNode } from 'preact';
import type { Proof, ProvenFlaw, ProvenVariant } from '../input.js';
import { count, counted, moment } from '../../../format/format.js';
import { VERDICT_LABELS } from '../../../words/outcomes.js';
import { ScrollTable } from '../markup/scroll-table.js';
import { IdLink } from './untested.js';

/** Result of the kit's self-test: broken servers caught, conformant ones accepted. */
export function ProofView({ proof, kit }: { readonly proof: Proof | null; readonly kit: string }): VNode {
  if (proof === null)
    return (
      <>
        <h3>The proof of the kit</h3>
        <p>
          This page has no proof. <code>petstore-conformance selftest</code> runs the kit against servers that are
          broken on purpose.
        </p>
      </>
    );
  const caught = proof.flaws.filter((flaw) => flaw.caught).length;
  const held = proof.variants.filter((variant) => variant.held).length;
  const whole = caught === proof.flaws.length && held === proof.variants.length;
  return (
    <>
      <h3>The proof of the kit</h3>
      <p class={whole ? undefined : 'ink-failed'}>
        Before release, this version was run against {counted(proof.flaws.length, 'server')} with one mistake each. It
        caught {caught === proof.flaws.length ? 'every one' : `only ${count(caught)}`}. It was also run against{' '}
        {counted(proof.variants.length, 'server')} that are unusual but correct, and{' '}
        {held === proof.variants.length ? 'every one' : `only ${count(held)}`} passed.
        <span class="note">
          {' '}
          Kit {proof.kit}, {moment(proof.at)}.
        </span>
      </p>
      {proof.kit !== kit && <p class="ink-failed">This proof is of another version. The run used kit {kit}.</p>}
      <details class="fold">
        <summary>The kill matrix: {counted(proof.flaws.length, 'flaw')}</summary>
        <FlawTable flaws={proof.flaws} />
      </details>
      <details class="fold">
        <summary>{counted(proof.variants.length, 'conformant variant')}</summary>
        <VariantTable variants={proof.variants} />
      </details>
    </>
  );
}

function FlawTable({ flaws }: { readonly flaws: readonly ProvenFlaw[] }): VNode {
  return (
    <ScrollTable label="Flaws" class="matrix" columns={['The server’s mistake', 'Fails', 'Caught']}>
      <tbody>
        {flaws.map(({ name, title, turns, caught }) => (
          <tr>
            <td>
              {title} <code class="note">{name}</code>
            </td>
            <td>
              {turns.map((id) => (
                <>
                  <IdLink id={id} />{' '}
                </>
              ))}
            </td>
            <td>{caught ? 'yes' : <b class="ink-failed">no</b>}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

function VariantTable({ variants }: { readonly variants: readonly ProvenVariant[] }): VNode {
  return (
    <ScrollTable label="Variants" class="matrix" columns={['Correct variant', 'Expected verdict', 'As expected']}>
      <tbody>
        {variants.map(({ name, title, expect, held }) => (
          <tr>
            <td>
              {title} <code class="note">{name}</code>
            </td>
            <td>{VERDICT_LABELS[expect].toLowerCase()}</td>
            <td>{held ? 'yes' : <b class="ink-failed">no</b>}</td>
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}
