import { nobody } from '../src/drive/probes/credentials.js';
import { expects } from '../src/drive/probes/specs.js';
import { everyAnswer, laterAnswers, test, type Asking } from '../src/drive/suite/host.js';

/**
 * One test for each row that judges every response, for users who start the suites directly; `run` judges
 * without them. They are last, and request only a listing, an animal, an unknown one and a refusal without a
 * key.
 */

const oneOfEachKind: Asking = [
  ({ probes }) => probes.listed(),
  ({ probes, facts }) =>
    facts.removal === 'before' ? probes.fetched(probes.unknownId(), expects('get-unknown', 404)) : null,
  ({ probes }) => probes.asIdentity('listPets', nobody, expects('auth-missing-key', 401)),
];

test(...everyAnswer('json-media-type', oneOfEachKind));
test(...everyAnswer('declared-status', oneOfEachKind));
test(...everyAnswer('pet-shape', oneOfEachKind));
test(...everyAnswer('pets-array', oneOfEachKind));
test(...everyAnswer('error-shape', oneOfEachKind));
test(...everyAnswer('error-status-matches', oneOfEachKind));
test(...everyAnswer('rate-headers-present', oneOfEachKind));
test(...everyAnswer('rate-headers-wellformed', oneOfEachKind));

test(...laterAnswers());
