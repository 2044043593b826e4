import { existsSync, readFileSync } from 'node:fs';
import { configPath, once } from '../base/kernel/config-file.js';
import type { RequirementId } from '../base/interface/types.js';
import type { Verdict } from '../judge/verdict.js';

/** A server with one mistake, and whether the kit failed exactly the declared requirements. */
export interface ProvenFlaw {
  readonly name: string;
  readonly title: string;
  /** Requirements that it violates wherever they are judged. */
  readonly turns: readonly RequirementId[];
  readonly caught: boolean;
}

/** A conformant server different from the plain one, and whether the kit accepted it as declared. */
export interface ProvenVariant {
  readonly name: string;
  readonly title: string;
  readonly expect: Verdict;
  readonly held: boolean;
}

/** Result of the self-test of one version of the kit. */
export interface Proof {
  readonly kit: string;
  readonly flaws: readonly ProvenFlaw[];
  readonly variants: readonly ProvenVariant[];
  readonly at: string;
}

export const readProof = once((): Proof | null => {
  const file = configPath('proof.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Proof) : null;
});
