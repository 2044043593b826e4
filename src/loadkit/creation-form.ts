import { randomBytes, randomInt } from 'node:crypto';
import { readJson } from '../base/kernel/json.js';
import { petView } from '../judge/checks/pets.js';

/** A creation's response with another name and another id in place of the original. */
interface CreationForm {
  readonly bytes: Buffer;
  /** Its own id, as digits. */
  readonly id: string;
}

/** Most bytes of a body: a Pet with its name has about 100. */
const MOST_BYTES = 4096;
/** A name that is the same in JSON and in every encoding: those of load are. */
const PLAIN_NAME = /^[\w-]+$/;
/** A positive integer that every reader keeps, in its usual form. */
const PLAIN_ID = /"id"\s*:\s*([1-9]\d{0,14})(?!\d)/;
/** The other name and id. They are random, so no server can send them elsewhere in a body. */
const OTHER = { name: randomBytes(8).toString('hex'), id: String(randomInt(1e14, 2e14)) };

/**
 * Returns the form of a response to a creation; null for a body without a plain id or the sent name. Bodies
 * of one form have an equal verdict if one of them has a form to trust: they differ only in the name that was
 * sent and in an id.
 */
export function creationForm(bytes: Buffer, name: string): CreationForm | null {
  if (bytes.length > MOST_BYTES || !PLAIN_NAME.test(name)) return null;
  const text = bytes.toString('latin1');
  const [idMember, id] = PLAIN_ID.exec(text) ?? [];
  if (idMember === undefined || id === undefined || !text.includes(`"${name}"`)) return null;
  const otherId = text.replace(idMember, idMember.slice(0, -id.length) + OTHER.id);
  return { bytes: Buffer.from(otherId.replace(`"${name}"`, `"${OTHER.name}"`), 'latin1'), id };
}

export function isTrusted({ bytes }: CreationForm): boolean {
  const reading = readJson(bytes.toString('latin1'));
  const pet = petView(reading.ok ? reading.value : null);
  return pet.name === OTHER.name && pet.id === OTHER.id;
}
