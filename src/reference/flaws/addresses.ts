import { seams } from '../changes.js';
import { flawsTurning } from '../registry.js';

/** Mistakes about where the service stands. */
export const addressFlaws = flawsTurning(['base-path-v1'], 'suites', {
  'base-path-without-version': {
    title: 'The service stands at the root, with no version in its address.',
    change: seams(() => ({ basePath: '' })),
  },
  'base-path-v2': {
    title: 'The service stands below /v2.',
    change: seams(() => ({ basePath: '/v2' })),
  },
  'base-path-with-minor-version': {
    title: 'The service stands below /v1.0, the whole version number.',
    change: seams(() => ({ basePath: '/v1.0' })),
  },
  'base-path-goes-on': {
    title: 'The version is followed by another segment, /v1/api.',
    change: seams(() => ({ basePath: '/v1/api' })),
  },
});
