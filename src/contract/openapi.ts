/** The part of OpenAPI 3.0.3 that the contract uses, as types; see `config/interface/openapi.yaml`. */

import type { OperationName } from './types.js';

/** A schema, or a reference to one under `#/components/schemas/`. */
export type SchemaOrRef = Readonly<Record<string, unknown>> & { readonly $ref?: string };

/** What an operation answers with one status. */
export interface OpenApiResponse {
  readonly description: string;
  readonly content?: Readonly<Record<string, { readonly schema: SchemaOrRef }>>;
}

/** A parameter of an operation. */
export interface OpenApiParameter {
  readonly name: string;
  readonly in: 'query' | 'path';
  readonly required: boolean;
  readonly schema: SchemaOrRef & { readonly minimum?: number; readonly maximum?: number; readonly default?: number };
}

/** An operation, with the markers that the contract puts on it. */
export interface OpenApiOperation {
  readonly operationId: OperationName;
  readonly deprecated?: boolean;
  readonly 'x-removal-date'?: string;
  readonly 'x-stability'?: Stability;
  readonly parameters?: readonly OpenApiParameter[];
  readonly requestBody?: { readonly required: boolean; readonly content: NonNullable<OpenApiResponse['content']> };
  readonly responses: Readonly<Record<string, OpenApiResponse>>;
}

/** The whole document. */
export interface OpenApiDocument {
  readonly info: { readonly version: string };
  readonly 'x-any-request': Readonly<Record<string, unknown>>;
  readonly paths: Readonly<Record<string, Readonly<Record<string, OpenApiOperation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, SchemaOrRef>> };
}

/** A marker that the interface may put on an operation (part 9). */
export type Stability = 'experimental' | 'beta';
