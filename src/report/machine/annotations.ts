import type { RunDocument } from '../run-document.js';
import { AMOUNTS } from '../amounts.js';
import { caseGroups } from './cases.js';
import { clip, visible } from '../../base/kernel/visible.js';

/**
 * Returns the workflow commands for GitHub annotations, one line each: an error for what changes the verdict,
 * a warning for the rest. Used when GITHUB_ACTIONS is set. Nothing from the target can start a command.
 */
export const annotationsOf = (document: RunDocument): readonly string[] =>
  caseGroups(document)
    .flatMap((group) => group.cases)
    .flatMap(({ id, status, outcome, headline }) => {
      const isError = status === 'failed' || status === 'error';
      if (!isError && outcome !== 'warned') return [];
      return [
        `::${isError ? 'error' : 'warning'} title=${property(id)}::${data(clip(headline, AMOUNTS.annotation.characters))}`,
      ];
    });

const data = (text: string): string =>
  visible(text).replaceAll('%', '%25').replaceAll('\r', '%0D').replaceAll('\n', '%0A');

const property = (text: string): string => data(text).replaceAll(':', '%3A').replaceAll(',', '%2C');
