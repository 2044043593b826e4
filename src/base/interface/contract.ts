import { type ByParameter, listingParameters, type Parameter } from './listing-query.js';
import type { PetStatus } from './names.js';
import type { OperationName } from './types.js';
import { once, sha256 } from '../kernel/config-file.js';
import { keepBuilt, readInterface } from './interface-file.js';
import { parseYaml } from '../kernel/yaml-source.js';

/** A schema, or a reference to one under `#/components/schemas/`. */
type SchemaOrRef = Readonly<Record<string, unknown>> & { readonly $ref?: string };

export interface OpenApiResponse {
  readonly content?: Readonly<Record<string, { readonly schema: SchemaOrRef }>>;
}

interface OpenApiParameter {
  readonly name: string;
  readonly in: string;
  readonly schema: SchemaOrRef & {
    readonly minimum?: number;
    readonly maximum?: number;
    readonly default?: number;
    readonly enum?: readonly string[];
  };
}

interface OpenApiOperation {
  readonly operationId: OperationName;
  readonly 'x-removal-date'?: string;
  readonly 'x-stability'?: Stability;
  readonly parameters?: readonly OpenApiParameter[];
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

interface OpenApiDocument {
  readonly info: { readonly version: string };
  readonly 'x-any-request': Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaOrRef>> };
}

/** A marker that the interface may put on an operation (part 9). */
type Stability = 'experimental' | 'beta';

export type { PetStatus };

export type Contract = Readonly<ReturnType<typeof contractOf>>;

/** Throws ConfigError for a file that is no YAML. */
export const loadContract = once((): Contract => {
  const { value, hash } = readInterface('openapi', documentIn);
  return contractOf(value, hash);
});

export const buildContract = (): void =>
  keepBuilt('openapi', () => ({ value: loadContract().document, hash: loadContract().hash }));

const documentIn = (text: string, file: string): OpenApiDocument =>
  parseYaml(text, file).toValue() as OpenApiDocument;

/** Parses a contract of the shape of {@link OpenApiDocument}. Throws if a part that the kit needs is missing. */
export const parseContract = (text: string, file: string): Contract =>
  contractOf(documentIn(text, file), sha256(text));

/** @param hash SHA-256 of the document's file */
function contractOf(document: OpenApiDocument, hash: string) {
  const declared = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  const named = (name: OperationName): OpenApiOperation =>
    needed(
      declared.find(({ operationId }) => operationId === name),
      `the operation ${name}`,
    );
  /** Declared status codes, ascending, without 429. */
  const operation = (name: OperationName) => ({ statuses: statusesOf(named(name).responses) });
  const markers: Partial<Record<OperationName, Stability>> = Object.fromEntries(
    declared.flatMap(({ operationId, 'x-stability': marker }) => (marker ? [[operationId, marker]] : [])),
  );
  return {
    interfaceVersion: document.info.version,
    operations: {
      listPets: operation('listPets'),
      createPet: operation('createPet'),
      getPet: operation('getPet'),
    },
    /** Additional status codes that any request may get: 429. */
    anyRequestStatuses: statusesOf(document['x-any-request']),
    /** Planned removal day of the deprecated operation, as YYYY-MM-DD. */
    removalDate: needed(named('getPet')['x-removal-date'], 'the removal date of getPet'),
    /** `limit` of the listing: animals in one response. */
    pageSize: pageSizeOf(named('listPets')),
    listing: listingOf(named('listPets'), document.components.schemas),
    /** Statuses of an animal, in the document's order. */
    statuses: needed(document.components.schemas['PetStatus'], 'PetStatus')['enum'] as readonly PetStatus[],
    /** Operations marked as not yet stable; today there is none. */
    markers,
    /** SHA-256 of the file. */
    hash,
    /** For validators; read-only. */
    document,
  };
}

const statusesOf = (responses: Readonly<Record<string, unknown>>): readonly number[] =>
  Object.keys(responses)
    .map(Number)
    .sort((a, b) => a - b);

function pageSizeOf(listing: OpenApiOperation) {
  const limit: OpenApiParameter | undefined = listing.parameters?.find(({ name }) => name === 'limit');
  const { minimum, maximum, default: usual } = needed(limit, 'the parameter limit').schema;
  return {
    min: needed(minimum, 'the smallest limit'),
    max: needed(maximum, 'the largest limit'),
    default: needed(usual, 'the default limit'),
  };
}

/** Throws TypeError if the query parameters are not those that the kit knows. */
function listingOf(
  { parameters = [] }: OpenApiOperation,
  schemas: OpenApiDocument['components']['schemas'],
): ByParameter<Parameter> {
  const declared = parameters.filter((each) => each.in === 'query');
  const unknown = declared.find(({ name }) => listingParameters.every((known) => known !== name));
  if (unknown) throw new TypeError(`The kit does not know the listing's parameter ${unknown.name}.`);
  return Object.fromEntries(
    listingParameters.map((name) => {
      const found = needed(
        declared.find((each) => each.name === name),
        `the parameter ${name}`,
      );
      const { $ref } = found.schema;
      const schema: OpenApiParameter['schema'] =
        $ref === undefined
          ? found.schema
          : needed(schemas[$ref.slice($ref.lastIndexOf('/') + 1)], `the schema of ${name}`);
      return [name, parameterOf(name, schema)];
    }),
  ) as ByParameter<Parameter>;
}

function parameterOf(
  name: string,
  { minimum, maximum, enum: values }: OpenApiParameter['schema'],
): Parameter {
  if (values) return { kind: 'choice', values };
  return {
    kind: 'integer',
    min: needed(minimum, `the smallest ${name}`),
    max: needed(maximum, `the largest ${name}`),
  };
}

function needed<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TypeError(`The contract lacks ${what}.`);
  return value;
}
