import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RequirementId } from '../base/interface/types.js';
import { compiled } from '../base/kernel/package.js';

/**
 * Returns the names of the suites' files that name some of these requirements; null, for all, if one stands
 * in none.
 */
export function filesStating(ids: readonly RequirementId[]): readonly string[] | null {
  const folder = compiled('suites');
  const files = readdirSync(folder).filter((name) => /\.spec\.[jt]s$/.test(name));
  const texts = files.map((name) => ({ name, text: readFileSync(join(folder, name), 'utf8') }));
  const stating = (id: RequirementId) => texts.filter(({ text }) => text.includes(`'${id}'`));
  if (ids.some((id) => stating(id).length === 0)) return null;
  return [...new Set(ids.flatMap((id) => stating(id).map(({ name }) => name)))];
}
