import assert from 'node:assert/strict';
import type { TestContext } from 'node:test';
import { flaws, named } from '../../reference/index.js';
import { judgeTrial } from '../../selftest/run-trial.js';
import type { Outcome } from '../../verdict/verdict.js';
import { folder } from '../e2e/support/folder.js';
import { INTERPLAYS } from './interplays/index.js';
import { settingFor } from './servers.js';

const CERTAIN = INTERPLAYS.filter(({ isByChance }) => isByChance !== true);

const needsLoad = (name: string): boolean => named('flaw', flaws, [name])[0]?.needs === 'load';

/** A flaw beside another member of a server, and what is declared of the two. */
interface Pair {
  readonly title: string;
  /** Judges a server of both. Throws AssertionError where it is not as declared. */
  readonly check: (t: TestContext) => Promise<void>;
}

/** All pairs that one half of the kit shows. */
export const pairsShownBy = (kind: 'load' | 'suites'): readonly Pair[] =>
  CERTAIN.flatMap(({ flaws: names, beside, hides = [], reddens = [], reason }) =>
    names
      .filter((one) => needsLoad(one) === (kind === 'load'))
      .flatMap((name) =>
        // Under load each takes seconds: the first of a kind stands for the rest.
        (kind === 'load' ? beside.slice(0, name === names[0] ? 1 : 0) : beside).map((other) => ({
          title: `${name} beside ${other}: ${reason}`,
          check: async (t: TestContext) => {
            const isFlaw = flaws.some((flaw) => flaw.name === other);
            const server = { flaws: isFlaw ? [name, other] : [name], variants: isFlaw ? [] : [other] };
            const { requirements } = await judgeTrial(settingFor(kind, server), folder(t));
            const idsOf = (outcomes: readonly Outcome[], ids: readonly string[]) =>
              requirements
                .filter(({ id, outcome }) => ids.includes(id) && outcomes.includes(outcome))
                .map(({ id }) => id);
            assert.deepEqual(new Set(idsOf(['passed'], hides)), new Set(hides), 'it is not hidden any more');
            assert.ok(
              reddens.length === 0 || idsOf(['failed', 'warned'], reddens).length > 0,
              'nothing more turns red',
            );
          },
        })),
      ),
  );
