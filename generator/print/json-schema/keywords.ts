/** The part of JSON Schema 2020-12 that a spec can express. Keys are set in the order in which they are listed. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly deprecated?: true;
  /** Section of the document that it comes from. */
  readonly "x-section"?: string;
  /** Decisions that settle what the document leaves open. */
  readonly "x-decisions"?: readonly string[];
  /** First revision that has it. */
  readonly "x-since"?: string;
  /** Never logged, never echoed in an error. */
  readonly "x-sensitive"?: true;
  readonly type?: "string" | "number" | "integer" | "boolean" | "object" | "array" | "null";
  /** In our own schemas a format of the spec language, in those for typed clients OpenAPI's width of a number. */
  readonly format?: string;
  /** One of our own formats, where others read: their validators mean something else by `date` and `url`. */
  readonly "x-format"?: string;
  readonly const?: string | number | boolean;
  readonly enum?: readonly (string | number | boolean)[];
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly exclusiveMinimum?: number;
  readonly exclusiveMaximum?: number;
  readonly prefixItems?: readonly JsonSchema[];
  /** `false` after `prefixItems`: no further items. */
  readonly items?: JsonSchema | false;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly uniqueItems?: true;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly propertyNames?: JsonSchema;
  /** `false`: no other members than those of `properties`. */
  readonly additionalProperties?: JsonSchema | false;
  readonly required?: readonly string[];
  readonly allOf?: readonly JsonSchema[];
  readonly anyOf?: readonly JsonSchema[];
  readonly oneOf?: readonly JsonSchema[];
  /** Of OpenAPI: the member whose value says which alternative a value is, each by its `$ref`. */
  readonly discriminator?: {
    readonly propertyName: string;
    readonly mapping: Readonly<Record<string, string>>;
  };
  readonly not?: JsonSchema;
  readonly if?: JsonSchema;
  readonly then?: JsonSchema;
  /** The value that stands for an absent property. */
  readonly default?: unknown;
  readonly examples?: readonly unknown[];
  readonly $schema?: string;
  readonly $id?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  /** The spec's own keys. */
  readonly [extension: `x-${string}`]: unknown;
}
