import { REQUIREMENTS } from '../base/interface/ledger.js';
import { PLANS } from '../base/interface/plans.js';
import type { Shape } from '../base/kernel/shape.js';
import { OWN_REQUIREMENTS } from '../drive/own/own-suites.js';
import { REFUSALS } from '../drive/client-scenarios/refusals-shape.js';
import { ATTESTATION } from '../outcome/acceptance/attestation.js';
import { BASELINE } from '../outcome/acceptance/baseline.js';
import { CERTIFICATE } from '../outcome/acceptance/certificate-shape.js';
import { RESULTS } from '../outcome/results/results-shape.js';
import { scenarioFile } from '../wire/scenario/scenario-file.js';
import { TARGET_FILE } from '../wire/targets/target-file.js';

/** The shapes whose JSON Schemas are published in `config/schemas`, by the name before `.schema.json`. */
export const PUBLISHED: Readonly<Record<string, Shape>> = {
  attestation: ATTESTATION,
  baseline: BASELINE,
  certificate: CERTIFICATE,
  'own-requirements': OWN_REQUIREMENTS,
  plans: PLANS,
  refusals: REFUSALS,
  requirements: REQUIREMENTS,
  results: RESULTS,
  scenario: scenarioFile(),
  target: TARGET_FILE,
};
