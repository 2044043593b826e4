import type { VNode } from 'preact';
import { certificationOf } from '../../../acceptance/certificate.js';
import { FILES } from '../../../log/files.js';
import { counted, ended } from '../../../format/format.js';
import type { PageInput } from '../input.js';
import { Text } from './text.js';

/** Most reasons on the first screen; more are counted. */
const MOST_REASONS = 3;

/** Longest clause on the first screen. */
const LONGEST = 300;

/** Coverage of the requested certificate, or reasons for its refusal; nothing where none was requested. */
export function CertificateState({ input: { results, log } }: { readonly input: PageInput }): VNode | null {
  const certification = certificationOf(results, log.header);
  if (certification === null) return null;
  if (certification.kind === 'refusal') {
    const { reasons } = certification;
    const left = reasons.length - MOST_REASONS;
    return (
      <section>
        <h2>No certificate</h2>
        <ul class="reasons">
          {reasons.slice(0, MOST_REASONS).map((reason) => (
            <li>
              <Text longest={LONGEST}>{reason}</Text>
            </li>
          ))}
        </ul>
        {left > 0 && <p class="note">and {counted(left, 'reason')} more; the run printed all of them.</p>}
      </section>
    );
  }
  const { covers, notCovered } = certification;
  return (
    <section>
      <h2>Certificate</h2>
      <p>
        <b>Certified for</b> <Text longest={LONGEST}>{ended(covers.join('; '))}</Text>
      </p>
      <p>
        <b>Not covered:</b> {notCovered.length === 0 && 'nothing.'}
      </p>
      <ul class="reasons">
        {notCovered.map((clause) => (
          <li>
            <Text longest={LONGEST}>{clause}</Text>
          </li>
        ))}
      </ul>
      <p class="note">
        <a href={FILES.certificate}>{FILES.certificate}</a> and <a href={FILES.attestation}>{FILES.attestation}</a>; not
        signed yet.
      </p>
    </section>
  );
}
