import { header, isSetCookie } from './headers.js';
import { KnownTexts } from './known-texts.js';
import { isMask, isUnset } from './mask.js';
import { HIDDEN, type OnHidden } from './secret-texts.js';
import type { Header } from './types.js';
import { writtenForms } from './written-forms.js';

/** Shortest text that is removed: shorter ones are words that a text has for other reasons. */
const SHORTEST = 8;
/** Most texts that are remembered: a client may have another session for each request. */
const MOST = 1000;

/** Between a secret and what stands beside it: the name of a cookie, a scheme, marks of JSON. */
const BETWEEN = /[^\w\-.~+/%]+/;

/** Before a value: its name, as of a cookie or of a member, which is no secret. */
const NAME = /(?<![\w\-.~+/%=])[\w\-.~+/%]+(?:=(?=[^=;,\s])|["']\s*:)/g;

/** The interface's own words that are as long, and addresses of its operations: reports need them. */
const ORDINARY = ['available', 'categoryid', 'application/json', 'authorization'];
const isOrdinary = (text: string): boolean =>
  /\/pets(?:\/|$)/.test(text) || ORDINARY.some((word) => word.includes(text.toLowerCase()));

/**
 * Secrets that traffic names in headers, queries and bodies, to be removed wherever a text repeats them:
 * there nothing names them.
 */
export class MetSecrets {
  private readonly texts = new Set<string>();
  private readonly forms = new KnownTexts();

  private add(text: string): void {
    const isNone = text.length < SHORTEST || isOrdinary(text) || isMask(text) || isUnset(text);
    if (isNone || this.texts.has(text) || this.texts.size >= MOST) return;
    this.texts.add(text);
    for (const form of writtenForms(text)) this.forms.add(form, HIDDEN);
  }

  readonly meet: OnHidden = (name, value) => {
    if (value.includes(HIDDEN)) return;
    // What follows in a Set-Cookie is no secret: Path=/, HttpOnly.
    const secret = isSetCookie(name) ? (value.split(';', 1)[0] ?? '') : value;
    for (const text of secret.replaceAll(NAME, ' ').split(BETWEEN)) this.add(text);
  };

  /** Meets a credential in Authorization that is no bearer token: a password, or a key without a scheme. */
  meetCredential(headers: readonly Header[]): void {
    const credential = (header(headers, 'authorization') ?? '').trim();
    const [, scheme = '', token] = /^(?:(\S+) +)?(\S+)$/.exec(credential) ?? [];
    if (token === undefined || /^bearer$/i.test(scheme)) return;
    this.add(token);
    if (/^basic$/i.test(scheme))
      for (const part of Buffer.from(token, 'base64').toString('utf8').split(':')) this.add(part);
  }

  hiddenIn(text: string): string {
    return this.forms.replacedIn(text);
  }
}
