import { seams } from '../changes.js';
import { flawsOf } from '../registry.js';

/** Mistakes about where the service stands. */
export const addressFlaws = flawsOf('suites', {
  'base-path-without-version': {
    title: 'The service stands at the root, with no version in its address.',
    turns: ['base-path-v1'],
    change: seams(() => ({ basePath: '' })),
  },
  'base-path-v2': {
    title: 'The service stands below /v2.',
    turns: ['base-path-v1'],
    change: seams(() => ({ basePath: '/v2' })),
  },
  'base-path-with-minor-version': {
    title: 'The service stands below /v1.0, the whole version number.',
    turns: ['base-path-v1'],
    change: seams(() => ({ basePath: '/v1.0' })),
  },
  'base-path-goes-on': {
    title: 'The version is followed by another segment, /v1/api.',
    turns: ['base-path-v1'],
    change: seams(() => ({ basePath: '/v1/api' })),
  },
});
