import { type AnySchemaObject, type ErrorObject, type ValidateFunction } from 'ajv';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { ConfigError, type ConfigProblem } from './config-error.js';
import { nearestName } from './nearest-name.js';
import type { YamlPath, YamlSource } from './yaml-source.js';

/**
 * Holds values against schemas, not schemas against theirs: those of the kit are correct by its tests, and to compile the
 * schema of schemas takes longer than all else that a command does before it begins.
 */
const OPTIONS = { verbose: true, allowUnionTypes: true, validateSchema: false, meta: false } as const;

const compiled = new WeakMap<AnySchemaObject, ValidateFunction>();

function validatorOf(schema: AnySchemaObject): ValidateFunction {
  const known = compiled.get(schema);
  if (known) return known;
  const validator = new Ajv2020(OPTIONS).compile(schema);
  compiled.set(schema, validator);
  return validator;
}

/** Names that are shown back: words, so that a value put in a name's place by mistake is not. */
const WORD = /^[A-Za-z][A-Za-z0-9_-]{0,40}$/;

/** Maps that hold keys: there even a word may be a key whose colon was forgotten. */
const HOLDS_KEYS = /^\/keys(\/|$)/;

/**
 * Holds a file's value against its schema and returns it, now known to be of that shape. Throws a ConfigError for the first difference, with
 * its line, what was expected, and the nearest known name; the values found are never part of it.
 */
export function checkShape(source: YamlSource, value: unknown, schema: AnySchemaObject, hint: string): unknown {
  const validate = validatorOf(schema);
  if (validate(value)) return value;
  const error = validate.errors?.[0];
  if (!error) throw new TypeError('The schema check failed without an error.');
  const path = pathOf(error);
  throw new ConfigError({ ...problemOf(error, path), file: source.file, line: source.lineOf(path), hint });
}

/** Where the fault stands: an unknown name itself, otherwise the value that is wrong or lacks something. */
function pathOf({ instancePath, keyword, params }: ErrorObject): YamlPath {
  const steps = instancePath
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  return keyword === 'additionalProperties' ? [...steps, String(params['additionalProperty'])] : steps;
}

function problemOf(
  error: ErrorObject,
  path: YamlPath,
): Pick<ConfigProblem, 'code' | 'message' | 'expected' | 'nearest'> {
  const { keyword, params, parentSchema, instancePath } = error;
  const where = describe(keyword === 'additionalProperties' ? path.slice(0, -1) : path);
  switch (keyword) {
    case 'additionalProperties': {
      const known = Object.keys((parentSchema?.['properties'] as object | undefined) ?? {});
      const name = String(params['additionalProperty']);
      const nearest = nearestName(name, known);
      const shown = WORD.test(name) && (nearest !== undefined || !HOLDS_KEYS.test(instancePath));
      const subject = shown ? `"${name}" is not known` : 'A name is not known';
      return {
        code: 'unknown-name',
        message: `${subject} in ${path.length === 1 ? 'the file' : where}.`,
        expected: `one of ${known.join(', ')}`,
        ...(nearest !== undefined && { nearest }),
      };
    }
    case 'required': {
      const name = String(params['missingProperty']);
      return { code: 'missing-field', message: `${where} lacks "${name}".`, expected: `"${name}"` };
    }
    case 'type': {
      const expected = [params['type']].flat().map(String).map(withArticle).join(' or ');
      return { code: 'wrong-type', message: `${where} has the wrong type.`, expected };
    }
    case 'enum': {
      const allowed = (params['allowedValues'] as readonly unknown[]).map(String);
      const nearest = typeof error.data === 'string' ? nearestName(error.data, allowed) : undefined;
      return {
        code: 'bad-value',
        message: `${where} is none of the known values.`,
        expected: allowed.length === 1 ? allowed.join() : `one of ${allowed.join(', ')}`,
        ...(nearest !== undefined && { nearest }),
      };
    }
    case 'minItems': {
      const least = Number(params['limit']);
      return {
        code: 'bad-value',
        message: least === 1 ? `${where} is empty.` : `${where} holds fewer than ${least}.`,
        expected: `at least ${least === 1 ? 'one' : least}`,
      };
    }
    default:
      return {
        code: 'bad-value',
        message: `${where} ${error.message ?? 'is not valid'}.`,
        expected: error.message ?? '',
      };
  }
}

const describe = (path: YamlPath): string => (path.length === 0 ? 'The file' : `"${path.join('.')}"`);

const withArticle = (type: string): string => (/^[aeio]/.test(type) ? `an ${type}` : `a ${type}`);
