import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MetSecrets } from './met-secrets.js';

function having(...values: readonly string[]): MetSecrets {
  const secrets = new MetSecrets();
  for (const value of values) secrets.meet('a-name', value);
  return secrets;
}

test('a secret that traffic named is removed from what a program prints, whatever stands beside it', () => {
  const secrets = having('sid=s3cr3t-cookie; theme=dark', 'Basic dXNlcjpwYXNz', '{"id":"session-0815"}');
  const printed = "{ cookie: 's3cr3t-cookie' } dXNlcjpwYXNz session-0815 in the dark theme";
  const hidden = "{ cookie: '[redacted]' } [redacted] [redacted] in the dark theme";
  assert.equal(secrets.hiddenIn(printed), hidden);
  assert.equal(secrets.hiddenIn(hidden), hidden);
});

test('it is removed in the forms that programs print', () => {
  const secret = 's3cr3t-c00kie';
  const bytes = Buffer.from(secret);
  const escaped = (mark: string): string => [...bytes].map((each) => mark + each.toString(16)).join('');
  for (const form of [
    Buffer.from(`user:${secret}`).toString('base64'),
    Buffer.from(JSON.stringify({ sid: secret })).toString('base64url'),
    bytes.toString('hex'),
    escaped('%').toUpperCase(),
    escaped(String.raw`\u00`),
  ])
    assert.match(having(secret).hiddenIn(form), /^\S{0,12}\[redacted\]\S{0,3}$/, form);
});

test('of two secrets of which one begins the other, nothing is left', () => {
  assert.equal(
    having('token-1234', 'token-1234-5678').hiddenIn('token-1234-5678 token-1234'),
    '[redacted] [redacted]',
  );
});

test('what a cookie comes with, and the interface’s own words, are no secrets', () => {
  const secrets = new MetSecrets();
  secrets.meet('Set-Cookie', 'sid=s3cr3t-cookie; Path=/v1/pets; HttpOnly; SameSite=Lax');
  secrets.meet('X-Session', 'available /v1/pets');
  const text = 'HttpOnly SameSite available /v1/pets?limit=5';
  assert.equal(secrets.hiddenIn(`${text} s3cr3t-cookie`), `${text} [redacted]`);
});

test('the name of a cookie or of a member is no secret', () => {
  const secrets = having(
    'Authorization=s3cr3t-cookie; X-RateLimit-Remaining=12; language=en',
    '{"location":1}',
  );
  const text = 'X-RateLimit-Remaining Authorization language location';
  assert.equal(secrets.hiddenIn(`${text} s3cr3t-cookie`), `${text} [redacted]`);
  assert.equal(
    having('sid=s3cr3t-one=s3cr3t-two').hiddenIn('s3cr3t-one s3cr3t-two'),
    '[redacted] [redacted]',
  );
  assert.equal(having('c2VjcmV0LWtleQ==').hiddenIn('c2VjcmV0LWtleQ=='), '[redacted]==');
});

test('a part of a word of the interface is no secret', () => {
  const text = 'Content-Type: application/json {"categoryId":1}';
  assert.equal(having('animals=category; from=application').hiddenIn(text), text);
});

test('what is short, or was hidden before, removes no word of a program', () => {
  assert.equal(having('true', '[redacted]', '1').hiddenIn('true [redacted] 1'), 'true [redacted] 1');
});
