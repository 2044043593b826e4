import type { PlanFigures } from '../contract/plans.js';
import type { PlanName } from '../contract/types.js';
import type { Target } from './target.js';

/** A key as written: in clear, or its file as `file:PATH` or `{ file: PATH }`. */
export type WrittenKey = string | { readonly file: string };

/** Keys of a target file, placeholders filled in. */
export type WrittenKeys = Readonly<Partial<Record<PlanName, WrittenKey>>> & {
  readonly sacrificial?:
    | WrittenKey
    | { readonly file: string; readonly plan: PlanName }
    | { readonly key: WrittenKey; readonly plan: PlanName };
};

/** A target file with checked names and types; see `config/schemas/target.schema.json`. */
export interface TargetFile {
  readonly name: string;
  readonly baseUrl: string;
  readonly keys: WrittenKeys;
  readonly suiteKey?: PlanName;
  readonly plans?: { readonly enterprise?: PlanFigures };
  readonly windows?: Partial<Target['windows']>;
  readonly production?: boolean;
  readonly writes?: boolean;
  readonly exclusive?: boolean;
  readonly ban?: Partial<Target['ban']>;
  readonly http?: Partial<Target['http']>;
}
