import assert from 'node:assert/strict';
import { test } from 'node:test';
import { plainMessage, transportError } from './transport-error.js';

const ALTNAMES = "Hostname/IP does not match certificate's altnames:";

const TEXTS: readonly (readonly [what: string, text: string, plain: string])[] = [
  [
    'a line of OpenSSL under Node’s words',
    'write EPROTO 80DB1A:error:0A000410:SSL routines:ssl3_read_bytes:sslv3 alert handshake failure:../deps/openssl/x.c:1605:SSL alert number 40\n',
    'sslv3 alert handshake failure',
  ],
  [
    'a line without function and source',
    'error:0A00010B:SSL routines::wrong version number',
    'wrong version number',
  ],
  [
    'another library of OpenSSL',
    '80DB:error:068000A8:asn1 encoding routines:asn1_check_tlen:wrong tag:x.c:1:\n',
    'wrong tag',
  ],
  [
    'an own end without a name',
    'connect EADDRNOTAVAIL ::1:3000 - Local (undefined:undefined)',
    'connect EADDRNOTAVAIL ::1:3000',
  ],
  ['an own end', 'connect ENETUNREACH 10.0.0.1:9 - Local (0.0.0.0:0)', 'connect ENETUNREACH 10.0.0.1:9'],
  [
    'an empty list of names',
    `${ALTNAMES} IP: 127.0.0.1 is not in the cert's list: `,
    'the certificate is for another name',
  ],
  [
    'a list of names',
    `${ALTNAMES} Host: localhost. is not in the cert's altnames: DNS:a.example`,
    'the certificate is for another name (DNS:a.example)',
  ],
  [
    'a common name',
    `${ALTNAMES} Host: localhost. is not cert's CN: a.example`,
    'the certificate is for another name (a.example)',
  ],
  ['no name at all', `${ALTNAMES} Cert does not contain a DNS name`, 'the certificate is for another name'],
  ['several lines, and one that was escaped', 'read\n  ECONNRESET\\n', 'read ECONNRESET'],
  [
    'a connection that the server ended, as undici says it',
    'other side closed',
    'the server closed the connection',
  ],
  ['a plain text', 'read ECONNRESET', 'read ECONNRESET'],
];

for (const [what, text, plain] of TEXTS)
  test(`the text of an error is one plain line: ${what}`, () => {
    assert.equal(plainMessage(text), plain);
    assert.equal(transportError(Object.assign(new Error(text), { code: 'EPROTO' })).message, plain);
  });

test('an error without a text has its code', () =>
  assert.equal(transportError(Object.assign(new Error(''), { code: 'ECONNRESET' })).message, 'ECONNRESET'));
