import { both, emptied, of, onAnswers, onObject, withStatus } from '../changes.js';
import { textOf, type JsonObject } from '../json.js';
import { flawsTurning } from '../registry.js';

const omit =
  (name: string) =>
  (error: JsonObject): JsonObject =>
    Object.fromEntries(Object.entries(error).filter(([member]) => member !== name));

const says = (status: number) => (error: JsonObject) => ({ ...error, status });

/** Mistakes in Error bodies, the statuses being right. */
export const errorFlaws = [
  ...flawsTurning(['error-shape'], 'suites', {
    'invalid-body-as-detail': {
      title: 'A 400 carries a list of details, as the validation library writes it.',
      change: onObject(withStatus(400), () => ({ detail: [{ loc: ['body', 'name'], msg: 'field required' }] })),
    },
    'unknown-animal-as-detail': {
      title: 'A 404 carries {"detail": "Not Found"}.',
      change: onObject(withStatus(404), () => ({ detail: 'Not Found' })),
    },
    'unauthorized-as-oauth-error': {
      title: 'A 401 carries the error members of OAuth.',
      change: onObject(withStatus(401), () => ({ error: 'invalid_token', error_description: 'the key is not valid' })),
    },
    'unauthorized-without-body': {
      title: 'A 401 has no body, because the gateway in front answers it.',
      change: onAnswers(withStatus(401), emptied),
    },
    'unknown-animal-without-body': {
      title: 'A 404 has no body.',
      change: onAnswers(withStatus(404), emptied),
    },
    'refused-creation-without-body': {
      title: 'A 400 has no body.',
      change: onAnswers(both(of('createPet'), withStatus(400)), emptied),
    },
    'error-code-number': {
      title: 'The code of an Error is the number of the status.',
      change: onObject(withStatus(400, 401, 404), (error) => ({ ...error, code: error['status'] ?? 0 })),
    },
    'error-code-missing': {
      title: 'The Error of a 404 has no code.',
      change: onObject(withStatus(404), omit('code')),
    },
    'error-message-missing': {
      title: 'The Error of a 401 to a fetch has no message.',
      change: onObject(both(of('getPet'), withStatus(401)), omit('message')),
    },
    'error-message-list': {
      title: 'The message of a 400 is a list of messages.',
      change: onObject(withStatus(400), (error) => ({ ...error, message: [error['message'] ?? ''] })),
    },
    'error-message-null': {
      title: 'The message of a 404 is null.',
      change: onObject(withStatus(404), (error) => ({ ...error, message: null })),
    },
    'error-status-missing': {
      title: 'The Error of a 400 does not repeat the status.',
      change: onObject(withStatus(400), omit('status')),
    },
    'error-status-string': {
      title: 'The status in an Error is a string.',
      change: onObject(withStatus(400, 401, 404), (error) => ({ ...error, status: textOf(error['status']) })),
    },
    'error-wrapped': {
      title: 'The Error is wrapped in an object with a member "error".',
      change: onObject(withStatus(400, 401, 404), (error) => ({ error })),
    },
    'error-in-array': {
      title: 'A 400 carries a list of Errors, one for each field.',
      change: onObject(withStatus(400), (error) => [error]),
    },
  }),
  ...flawsTurning(['error-status-matches'], 'suites', {
    'error-status-always-400': {
      title: 'The Error of a 404 says 400, the default of the helper that makes it.',
      change: onObject(withStatus(404), says(400)),
    },
    'error-status-of-exception': {
      title: 'The Error of a 400 says 500, the status of the exception that was caught.',
      change: onObject(withStatus(400), says(500)),
    },
    'unauthorized-says-403': {
      title: 'The Error of a 401 says 403.',
      change: onObject(withStatus(401), says(403)),
    },
    'error-status-zero-on-creation': {
      title: 'The Error of a 401 to a creation says 0, a member that nobody filled in.',
      change: onObject(both(of('createPet'), withStatus(401)), says(0)),
    },
  }),
];
