import type { AnySchemaObject, ErrorObject } from 'ajv';
import { once } from './config-file.js';
import { nearestName } from './nearest-name.js';
import { withArticle } from './format.js';
import type { YamlPath, YamlSource } from './yaml-source.js';
import { ConfigError, together, type ConfigProblem } from './errors.js';
import { library, OPTIONS, type Shape } from './shape.js';

/** Keeps what it compiles. */
const validator = once(() => new (library().Ajv2020)(OPTIONS));

const MOST_MISTAKES = 10;

/** Returns all mistakes of a value; without those of alternatives, of which only one has to fit. */
function allErrorsOf(schema: AnySchemaObject, value: unknown): readonly ErrorObject[] {
  const validate = new (library().Ajv2020)({ ...OPTIONS, allErrors: true }).compile(schema);
  if (validate(value) === true) return [];
  return (validate.errors ?? []).filter(
    ({ schemaPath }) => !/\/(?:oneOf|anyOf|if|then|else)\b/.test(schemaPath),
  );
}

/**
 * Names that errors may quote: words without a digit, because a value, such as a key, may be in a name's
 * place by mistake.
 */
const WORD = /^[A-Za-z][A-Za-z_-]{0,40}$/;

/** Names that they may quote where a known name is near. */
const NAME = /^[A-Za-z][A-Za-z0-9_-]{0,40}$/;

export const quotable = (name: string | number): string =>
  typeof name === 'number' || /^\d{1,3}$/.test(name) || WORD.test(name) ? String(name) : '…';

/** Maps with keys: there even a word may be a key without its colon. */
const HOLDS_KEYS = /^\/keys(\/|$)/;

const EXAMPLE = /e\.g\. [^,;]+?(?=[,;]|\.(?: |$)|$)/;

/** Returns the example in a shape's description, after a comma; empty without one. */
function exampleIn(shape: AnySchemaObject | undefined): string {
  const example = EXAMPLE.exec(String(shape?.['description'] ?? ''))?.[0];
  return example === undefined ? '' : `, ${example}`;
}

/**
 * Validates a file's value by its shape and returns it. Throws a ConfigError for the first difference, with
 * its line, the expected value, and the nearest known name; never with a found value.
 */
export function checkShape<T>(source: YamlSource, value: unknown, shape: Shape<T>, hint: string): T {
  const validate = validator().compile(shape);
  if (validate(value)) return value as T;
  const error = validate.errors?.[0];
  if (!error) throw new TypeError('The schema check failed without an error.');
  const errorFor = (one: ErrorObject): ConfigError => {
    const path = pathOf(one);
    return new ConfigError({ ...problemOf(one, path), file: source.file, line: source.lineOf(path), hint });
  };
  const found = [error, ...allErrorsOf(shape, value)]
    .map(errorFor)
    .filter(({ message }, at, all) => all.findIndex((one) => one.message === message) === at)
    .toSorted((one, other) => (one.line ?? 0) - (other.line ?? 0));
  const [first = errorFor(error), ...further] = found;
  throw together([first, ...further.slice(0, MOST_MISTAKES)], hint);
}

/** Path of the error: the unknown name, or the value that is wrong or incomplete. */
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
      const shown =
        nearest === undefined ? WORD.test(name) && !HOLDS_KEYS.test(instancePath) : NAME.test(name);
      const subject = shown ? `"${name}" is not known` : 'A name is not known';
      return {
        code: 'unknown-name',
        message: `${subject} in ${path.length === 1 ? 'the file' : where}.`,
        expected: `one of ${known.join(', ')}`,
        nearest,
      };
    }
    case 'required': {
      const name = String(params['missingProperty']);
      const members = parentSchema?.['properties'] as Readonly<Record<string, AnySchemaObject>> | undefined;
      return {
        code: 'missing-field',
        message: path.length === 0 ? `"${name}" is missing.` : `${where} lacks "${name}".`,
        expected: `"${name}"${exampleIn(members?.[name])}`,
      };
    }
    case 'type': {
      const isEmpty = path.length === 0 && error.data === null;
      const types = [params['type']]
        .flat()
        .map((type) => expectedWords(String(type), error.data))
        .join(' or ');
      return {
        code: 'wrong-type',
        message: isEmpty ? 'The file is empty.' : `${where} has the wrong type: ${typeWords(error.data)}.`,
        expected: types + exampleIn(parentSchema),
      };
    }
    case 'enum': {
      const allowed = (params['allowedValues'] as readonly unknown[]).map(String);
      const nearest = typeof error.data === 'string' ? nearestName(error.data, allowed) : undefined;
      return {
        code: 'bad-value',
        message: `${where} has an unknown value.`,
        expected: allowed.length === 1 ? allowed.join() : `one of ${allowed.join(', ')}`,
        nearest,
      };
    }
    case 'minItems': {
      const least = Number(params['limit']);
      return {
        code: 'bad-value',
        message: least === 1 ? `${where} is empty.` : `${where} has fewer than ${least}.`,
        expected: `at least ${least === 1 ? 'one' : least}`,
      };
    }
    case 'pattern': {
      const form: unknown = parentSchema?.['$comment'];
      return {
        code: 'bad-value',
        message: `${where} has another form.`,
        expected: typeof form === 'string' ? form : `a match of ${String(params['pattern'])}`,
      };
    }
    default:
      return { code: 'bad-value', message: `${where} ${error.message ?? 'is not valid'}.` };
  }
}

function typeWords(value: unknown): string {
  if (value === null) return 'nothing';
  return withArticle(Array.isArray(value) ? 'array' : typeof value);
}

/** Names an expected type. YAML reads a word or a number without quotes as another type than a string. */
function expectedWords(type: string, value: unknown): string {
  const words = withArticle(type);
  if (type === 'string' && ['boolean', 'number'].includes(typeof value)) return `${words} in quotes`;
  const isQuoted = type === 'boolean' && typeof value === 'string';
  return isQuoted ? `${words}, true or false without quotes` : words;
}

const describe = (path: YamlPath): string => (path.length === 0 ? 'The file' : `"${path.join('.')}"`);
