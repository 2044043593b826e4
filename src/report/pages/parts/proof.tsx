import type { ComponentChildren, VNode } from 'preact';
import type { Proof, ProvenFlaw, ProvenVariant } from '../input.js';
import { count, counted, moment } from '../../../format/format.js';
import { VERDICT_LABELS } from '../../../words/outcomes.js';
import { Fold, Ids } from '../markup/lists.js';
import { Table } from '../markup/table.js';

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
      <Fold title={`The kill matrix: ${counted(proof.flaws.length, 'flaw')}`}>
        <Table
          label="Flaws"
          class="matrix"
          columns={['The server’s mistake', 'Fails', 'Caught']}
          rows={proof.flaws.map((flaw) => [named(flaw), <Ids ids={flaw.turns} between=" " />, yes(flaw.caught)])}
        />
      </Fold>
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
    </>
  );
}

const yes = (held: boolean): ComponentChildren => (held ? 'yes' : <b class="ink-failed">no</b>);

const named = ({ name, title }: ProvenFlaw | ProvenVariant): VNode => (
  <>
    {title} <code class="note">{name}</code>
  </>
);
