import { nobody } from '../src/probes/credentials.js';
import { expects } from '../src/probes/specs.js';
import { everyAnswer, laterAnswers, test, type Asking } from '../src/suite/host.js';

/**
 * What every answer is judged by has a test a row, for those who start the suites by hand; `run` judges it without. They
 * stand last, and alone they ask for a listing, an animal, an unknown one and an answer without a key.
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
