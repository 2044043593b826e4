import type { OperationName } from './types.js';
import { configPath, once, PACKAGE_HINT, sha256 } from './config-file.js';
import { parseYaml, readText } from './yaml-source.js';

/** A schema, or a reference to one under `#/components/schemas/`. */
type SchemaOrRef = Readonly<Record<string, unknown>> & { readonly $ref?: string };

/** Response of an operation for one status code. */
export interface OpenApiResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: SchemaOrRef }>>;
}

interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly schema: SchemaOrRef & { readonly minimum?: number; readonly maximum?: number; readonly default?: number };
}

/** An operation with its markers. */
interface OpenApiOperation {
  readonly operationId: OperationName;
  readonly deprecated?: boolean;
  readonly 'x-removal-date'?: string;
  readonly 'x-stability'?: Stability;
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: NonNullable<OpenApiResponse['content']> };
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

/** The statuses of an animal (part 2, PetStatus). */
export type PetStatus = 'available' | 'pending' | 'sold';

interface Operation {
  readonly name: OperationName;
  /** In capitals, as sent. */
  readonly method: string;
  /** Relative to the base address, e.g. "/pets/{petId}". */
  readonly pathTemplate: string;
  /** Declared status codes, ascending, without 429. */
  readonly statuses: readonly number[];
  readonly deprecated: boolean;
}

/** The contract as the kit uses it. */
export interface Contract {
  /** Version of the interface description, e.g. "1.0.0". */
  readonly interfaceVersion: string;
  readonly operations: Readonly<Record<OperationName, Operation>>;
  /** Additional status codes that any request may get: 429. */
  readonly anyRequestStatuses: readonly number[];
  /** Planned removal day of the deprecated operation, as YYYY-MM-DD. */
  readonly removalDate: string;
  /** `limit` of the listing: animals in one response. */
  readonly pageSize: { readonly min: number; readonly max: number; readonly default: number };
  /** Statuses of an animal, in the document's order. */
  readonly statuses: readonly PetStatus[];
  /** Operations marked as not yet stable; today there is none. */
  readonly markers: Readonly<Partial<Record<OperationName, Stability>>>;
  /** SHA-256 of the file. */
  readonly hash: string;
  /** The document, for validators; read-only. */
  readonly document: OpenApiDocument;
}

/** Loads the package's contract once per process. Throws ConfigError for a file that is no YAML. */
export const loadContract = once((): Contract => {
  const file = configPath('interface', 'openapi.yaml');
  return parseContract(readText(file, PACKAGE_HINT), file);
});

/** Parses a contract of the shape of {@link OpenApiDocument}. Throws if a part that the kit needs is missing. */
export function parseContract(text: string, file: string): Contract {
  const document = parseYaml(text, file).toValue() as OpenApiDocument;
  const declared = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  const named = (name: OperationName): (typeof declared)[number] =>
    needed(
      declared.find(({ operation }) => operation.operationId === name),
      `the operation ${name}`,
    );
  const operation = (name: OperationName): Operation => {
    const { path, method, operation } = named(name);
    return {
      name,
      method: method.toUpperCase(),
      pathTemplate: path,
      statuses: statusesOf(operation.responses),
      deprecated: operation.deprecated ?? false,
    };
  };
  return {
    interfaceVersion: document.info.version,
    operations: { listPets: operation('listPets'), createPet: operation('createPet'), getPet: operation('getPet') },
    anyRequestStatuses: statusesOf(document['x-any-request']),
    removalDate: needed(named('getPet').operation['x-removal-date'], 'the removal date of getPet'),
    pageSize: pageSizeOf(named('listPets').operation),
    statuses: needed(document.components.schemas['PetStatus'], 'PetStatus')['enum'] as readonly PetStatus[],
    markers: Object.fromEntries(
      declared.flatMap(({ operation }) =>
        operation['x-stability'] ? [[operation.operationId, operation['x-stability']]] : [],
      ),
    ),
    hash: sha256(text),
    document,
  };
}

const statusesOf = (responses: Readonly<Record<string, unknown>>): readonly number[] =>
  Object.keys(responses)
    .map(Number)
    .sort((a, b) => a - b);

function pageSizeOf(listing: OpenApiOperation): Contract['pageSize'] {
  const limit: OpenApiParameter | undefined = listing.parameters?.find(({ name }) => name === 'limit');
  const { minimum, maximum, default: usual } = needed(limit, 'the parameter limit').schema;
  return {
    min: needed(minimum, 'the smallest limit'),
    max: needed(maximum, 'the largest limit'),
    default: needed(usual, 'the default limit'),
  };
}

function needed<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new TypeError(`The contract lacks ${what}.`);
  return value;
}
