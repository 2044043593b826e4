import assert from 'node:assert/strict';
import { swapCase } from './key-forms.js';
import { REDACTED, redactor } from './redact.js';

export const KEY = 'pk_Kq7/Vw2+Zt9.Xb4$Rm6';

const pieceLength = (key: string): number => Math.min(6, key.length);

const pieces = (key: string): string[] =>
  Array.from({ length: key.length - pieceLength(key) + 1 }, (_, at) => key.slice(at, at + pieceLength(key)));

/** Asserts that a text holds no piece of a key, in any letter case. */
export function assertGone(key: string, text: string): void {
  for (const piece of pieces(key))
    assert.ok(
      !text.toLowerCase().includes(piece.toLowerCase()),
      `${JSON.stringify(piece)} is left in ${text}`,
    );
}

export function expectGoneFrom(text: string): void {
  const redact = redactor([KEY, swapCase(`${KEY}2`), 'another-key-of-another-plan-0123456789', 'short']);
  const clean = redact(`${text} ${KEY} the end`);
  assertGone(KEY, clean);
  assert.ok(clean.endsWith(`${REDACTED} the end`));
}
