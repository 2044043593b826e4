import { chosenName, planNames } from '../../base/interface/names.js';
import { FULL_WINDOWS, planFigures } from '../../base/interface/plans.js';
import { LONGEST_TIMER_MS } from '../../base/kernel/longest-timer.js';
import {
  array,
  closed,
  described,
  each,
  integer,
  mixed,
  number,
  type Of,
  oneOf,
  optional,
  published,
  refined,
  someText,
  string,
  truth,
} from '../../base/kernel/shape.js';

/** Enough requests for most bans, at a rate that a small server can handle. */
export const BAN = { maxRequests: 60, perSecond: 10 };
/** Long enough for a slow server; a body of 1 MiB is about fifty times a full listing. */
export const HTTP = { timeoutMs: 10_000, maxBodyBytes: 1_048_576 };

const planName = oneOf(planNames);
const positive = refined(number, { exclusiveMinimum: 0 });
const keyFile = described('A file with the key in its only line, relative to the target file.', someText);

/** A key as written: in clear, or its file as `file:PATH` or `{ file: PATH }`. */
const key = described(
  'A key: ${NAME} reads a variable of the environment, file:PATH a file with the key in its only line.',
  mixed(string(), closed({ file: keyFile })),
);

export type WrittenKeys = TargetFile['keys'];

/** A target file, placeholders filled in. */
export type TargetFile = Of<typeof TARGET_FILE>;
export const TARGET_FILE = published(
  'Target file of petstore-conformance',
  'Which server is judged, with which keys, and what is known about it. Holds for the file after ${NAME} placeholders have ' +
    'been filled in.',
  closed({
    name: described('Stands in reports and in the names of their folders.', chosenName),
    baseUrl: described(
      'The base address, http or https, ending with the version segment, e.g. https://staging.example.com/v1.',
      string(),
    ),
    keys: described(
      'One key for each plan that may be tested, e.g. { free: ${PETSTORE_FREE_KEY} }.',
      closed({
        ...each(planNames, optional(key)),
        sacrificial: optional(
          described(
            'A key that may get banned, used only by the ban profile: a Free key, or a key with its plan.',
            mixed(
              string(),
              refined(closed({ key: optional(key), file: optional(keyFile), plan: optional(planName) }), {
                anyOf: [{ required: ['key', 'plan'] }, { required: ['file'], not: { required: ['key'] } }],
              }),
            ),
          ),
        ),
      }),
    ),
    suiteKey: optional(
      described('The plan whose key the suites use; the largest plan given if absent.', planName),
    ),
    plans: optional(
      described(
        'Figures that the interface leaves to an agreement: those of Enterprise.',
        closed({ enterprise: optional(planFigures) }),
      ),
    ),
    windows: optional(
      described(
        "How long the limits' windows are, in seconds. A test server may have shorter ones, e.g. { minute: 2 }.",
        closed({
          minute: optional(refined(positive, { default: FULL_WINDOWS.minute })),
          day: optional(refined(positive, { default: FULL_WINDOWS.day })),
        }),
      ),
    ),
    production: optional(
      described(
        'Real clients depend on this server: no burst and no ban unless allowed on the command line.',
        refined(truth, { default: false }),
      ),
    ),
    writes: optional(
      described(
        'Whether requests may be sent that would create an animal.',
        refined(truth, { default: true }),
      ),
    ),
    exclusive: optional(
      described('Whether nobody else uses these keys during a run.', refined(truth, { default: true })),
    ),
    subject: optional(
      described(
        'What the operator says runs at this address: NAME@sha256:DIGEST, as of an image, or gitCommit:DIGEST. ' +
          'Certificates name them.',
        array(someText),
      ),
    ),
    ban: optional(
      closed({
        maxSeconds: optional(described('The longest ban that the operator promises, in seconds.', positive)),
        maxRequests: optional(
          described(
            'How many refused requests the ban profile may send after the first 429.',
            refined(integer(1), { default: BAN.maxRequests }),
          ),
        ),
        perSecond: optional(
          described('At most how many of them a second.', refined(positive, { default: BAN.perSecond })),
        ),
      }),
    ),
    http: optional(
      closed({
        timeoutMs: optional(
          described(
            'How long one request may take in all, in milliseconds.',
            refined(integer(1, LONGEST_TIMER_MS), { default: HTTP.timeoutMs }),
          ),
        ),
        maxBodyBytes: optional(
          described(
            'How long a body may be after decoding, in bytes.',
            refined(integer(1), { default: HTTP.maxBodyBytes }),
          ),
        ),
        ca: optional(
          described(
            'A PEM file with the certificate authority to trust instead of the well-known ones, relative to the target file.',
            someText,
          ),
        ),
      }),
    ),
  }),
);
