import type { NewPet } from '../base/interface/types.js';
import { readJson } from '../base/kernel/json.js';
import { petView } from '../judge/checks/pets.js';
import { areEqual, type BodyHeaders, type BodyVerdict } from './known-bodies.js';

/** A creation's response, and what was sent. */
export interface Creation {
  readonly status: number;
  readonly headers: BodyHeaders;
  readonly bytes: Buffer;
  readonly sent: NewPet;
}

/** Text of a body without name and id: the texts before, between and after them. */
interface Form {
  readonly before: string;
  readonly between: string;
  readonly after: string;
  readonly isNameFirst: boolean;
}

interface KnownForm extends Form {
  readonly like: Omit<Creation, 'bytes'>;
  readonly verdict: BodyVerdict;
}

/** Most forms to keep: replicas may write a body differently. */
const MOST_FORMS = 4;
/** Most bodies without a known form, beyond those with one: a body with the time in it has a new form each time. */
const MOST_ATTEMPTS = 20;
/** Most bytes of a body: a Pet with its name has about 100. */
const MOST_BYTES = 4096;
/** A name that is the same in JSON and in every encoding: those of load are. */
const PLAIN_NAME = /^[\w-]+$/;
/** A positive integer that every reader keeps, in its usual form. */
const PLAIN_ID = /^[1-9]\d{0,14}$/;
/** Name and id to try a form with; neither is in a response. */
const TRIED = { name: 'another-name', id: '918273645546372' };

/**
 * Creates a memory of sound responses to creations. Two bodies have an equal verdict if they differ only in the name that was
 * sent and in a plain id. The caller judges whether the id is new.
 * @param forget receives each verdict that is no longer kept, with its count
 */
export function knownCreations(forget: (verdict: BodyVerdict) => void) {
  const known: KnownForm[] = [];
  let attempts = 0;
  return {
    /** Returns the verdict of an equal body and the id in this one; null without one. */
    find(creation: Creation): { readonly verdict: BodyVerdict; readonly id: string } | null {
      const text = known.length > 0 && creation.bytes.length <= MOST_BYTES ? creation.bytes.toString('latin1') : '';
      for (const form of known) {
        const id = isLike(form.like, creation) ? idIn(text, form, creation.sent.name) : null;
        if (id === null) continue;
        attempts = 0;
        return { verdict: form.verdict, id };
      }
      return null;
    },
    /** Remembers a sound response; false if its body has no form to recognize. */
    add(creation: Creation, verdict: BodyVerdict): boolean {
      if (attempts >= MOST_ATTEMPTS || verdict.findings.length > 0 || creation.bytes.length > MOST_BYTES) return false;
      attempts += 1;
      const form = formOf(creation.bytes.toString('latin1'), creation.sent.name);
      if (form === null) return false;
      if (known.length === MOST_FORMS) {
        const [oldest] = known.splice(0, 1);
        if (oldest) forget(oldest.verdict);
      }
      const { bytes: _, ...like } = creation;
      known.push({ ...form, like, verdict });
      return true;
    },
    forgetAll: (): void => known.splice(0).forEach(({ verdict }) => forget(verdict)),
  };
}

const isLike = (one: Omit<Creation, 'bytes'>, other: Creation): boolean =>
  one.status === other.status &&
  areEqual(one.headers, other.headers) &&
  one.sent.categoryId === other.sent.categoryId &&
  one.sent.status === other.sent.status;

const written = ({ before, between, after, isNameFirst }: Form, name: string, id: string): string =>
  isNameFirst ? `${before}${name}${between}${id}${after}` : `${before}${id}${between}${name}${after}`;

/** Returns the id in a text that is exactly this form with a name; null for any other text. */
function idIn(text: string, form: Form, name: string): string | null {
  const { before, between, after, isNameFirst } = form;
  const from = before.length + (isNameFirst ? name.length + between.length : 0);
  const length = text.length - before.length - between.length - after.length - name.length;
  const id = text.slice(from, from + length);
  return length > 0 && PLAIN_ID.test(id) && PLAIN_NAME.test(name) && text === written(form, name, id) ? id : null;
}

/** Returns the form of a body; null if another name or id in its places would not be read as that name or id. */
function formOf(text: string, name: string): Form | null {
  const nameAt = text.indexOf(`"${name}"`) + 1;
  const found = /"id"\s*:\s*(\d+)/.exec(text);
  if (nameAt === 0 || found === null) return null;
  const id = found[1] ?? '';
  const idAt = found.index + found[0].length - id.length;
  const isNameFirst = nameAt < idAt;
  const [first, second] = isNameFirst
    ? [
        { at: nameAt, end: nameAt + name.length },
        { at: idAt, end: idAt + id.length },
      ]
    : [
        { at: idAt, end: idAt + id.length },
        { at: nameAt, end: nameAt + name.length },
      ];
  const form = {
    before: text.slice(0, first.at),
    between: text.slice(first.end, second.at),
    after: text.slice(second.end),
    isNameFirst,
  };
  const reading = readJson(written(form, TRIED.name, TRIED.id));
  const pet = petView(reading.ok ? reading.value : null);
  return pet.name === TRIED.name && pet.id === TRIED.id && idIn(text, form, name) !== null ? form : null;
}
