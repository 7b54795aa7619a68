/** The rules that a change of a key may raise; or why no change of it is one. */
export type KeyEffect = readonly string[] | { readonly silent: string };

const doc: KeyEffect = ["doc-changed", "doc-figures-changed", "doc-rule-added", "meaning-exchanged"];
const section: KeyEffect = ["section-changed"];
const decision: KeyEffect = ["decisions-changed"];
const deprecated: KeyEffect = [
  "deprecated-added",
  "deprecated-changed",
  "deprecated-removed",
  "removed-before-sunset",
];
const sinceRules = ["since-changed", "since-inconsistent"];
const common = { doc, section, decision, since: sinceRules, deprecated };
const codeNames: KeyEffect = ["generated-name-changed", "client-member-changed"];
const unread: KeyEffect = { silent: "No generated thing says it: it is a note to those who edit the spec." };
const schemeKeys: KeyEffect = [
  "scheme-added",
  "scheme-removed",
  "scheme-changed",
  "scheme-changed-unused",
  "scheme-loosened",
];
const security: KeyEffect = [
  "security-tightened",
  "security-loosened",
  "security-exchanged",
  "security-restated",
];
const paramsStyle: KeyEffect = ["params-narrowed", "params-widened", "parameters-moved"];
const standardFault: KeyEffect = ["standard-fault-changed", "fault-added", "fault-removed"];
const earlierRevision: KeyEffect = ["served-revision-added", "served-revision-removed"];

const bounds: KeyEffect = [
  "*-bound-set",
  "*-bound-unset",
  "*-bound-tightened",
  "*-bound-loosened",
  "constraint-restated",
];
const constraints = {
  const: [
    "*-const-added",
    "*-const-changed",
    "*-const-removed",
    "*-enum-value-added",
    "*-enum-value-removed",
  ],
  minLength: bounds,
  maxLength: bounds,
  pattern: [
    "*-pattern-added",
    "*-pattern-changed",
    "*-pattern-narrowed",
    "*-pattern-widened",
    "*-pattern-restated",
    "*-pattern-removed",
  ],
  minimum: bounds,
  above: bounds,
  below: bounds,
  maximum: bounds,
  minItems: bounds,
  maxItems: bounds,
  uniqueItems: ["*-unique-items-set", "*-unique-items-unset"],
} satisfies Readonly<Record<string, KeyEffect>>;

const groups: KeyEffect = [
  "*-group-added",
  "*-group-added-met",
  "*-group-removed",
  "*-group-member-added",
  "*-group-member-removed",
  "*-group-member-joined",
  "*-group-member-left",
  "*-group-tightened",
  "*-group-loosened",
];
const fields: KeyEffect = [
  "*-field-added-required",
  "*-field-added-required-when",
  "*-field-added-required-when-new",
  "*-field-added-optional",
  "*-field-removed-required",
  "*-field-removed-optional",
  "*-field-renamed",
  "*-field-renamed-compatibly",
  "*-field-name-reused",
];
const presence: KeyEffect = [
  "*-field-optional-to-required",
  "*-field-required-to-optional",
  "*-field-optional-to-required-when",
  "*-field-required-when-to-optional",
  "*-field-required-when-to-required",
  "*-field-required-to-required-when",
];
const conditions: KeyEffect = [
  ...presence,
  "*-field-condition-widened",
  "*-field-condition-widened-new",
  "*-field-condition-narrowed",
  "*-field-condition-changed",
];
const enumValues: KeyEffect = [
  "*-enum-value-added",
  "response-open-enum-value-added",
  "event-open-enum-value-added",
  "*-enum-value-removed",
  "*-enum-value-renamed",
  "*-enum-value-reused",
];
const types: KeyEffect = [
  "*-type-changed",
  "*-type-widened",
  "*-type-narrowed",
  "*-format-added",
  "*-format-changed",
  "*-format-removed",
  "*-format-widened",
  "*-format-narrowed",
  "handler-type-changed",
  "client-type-changed",
  "named-type-changed",
];
const secondNames: KeyEffect = [
  "*-field-name-reused",
  "*-field-renamed",
  "*-field-renamed-compatibly",
  "request-spelling-added",
  "request-spelling-removed",
  "spelling-restated",
  "response-also-sent-as-added",
  "response-also-sent-as-removed",
  "event-also-sent-as-added",
  "event-also-sent-as-removed",
  "also-sent-as-restated",
];

/** A place that names another type has another structure: whatever differs between the two. */
const structure: KeyEffect = [
  ...types,
  ...fields,
  ...conditions,
  ...groups,
  ...enumValues,
  ...secondNames,
  ...Object.values(constraints).flat(),
];
const forms: KeyEffect = [
  "form-added",
  "form-removed",
  "form-renamed",
  "payload-to-forms",
  "payload-to-forms-compatibly",
  "forms-to-payload",
  "forms-to-payload-compatibly",
];
/** Its fields and groups are those of the object. */
const includes: KeyEffect = [...fields];
const closed: KeyEffect = ["*-type-narrowed", "*-type-widened"];
const objectKeys = { fields, atLeastOneOf: groups, exactlyOneOf: groups };
const moved = (renamed: string): KeyEffect => [renamed, "renamed-from-changed"];
const fault: KeyEffect = ["fault-added", "fault-code-changed", "fault-removed"];
const moves: KeyEffect = [
  "transition-by-call-added",
  "transition-by-call-removed",
  "transition-added",
  "transition-removed",
  "transition-restated",
];

/**
 * What a change of each key of the spec language breaks, by definition and key of the language's schema; `*-x` stands
 * for `request-x`, `response-x` and `event-x`. A test compares the table with the schema, so that no key is
 * forgotten, and with every case.
 */
export const languageKeys: ReadonlyMap<string, KeyEffect> = new Map([
  ...keysOf("file", {
    interface: ["interface-added", "interface-removed"],
    types: [
      "type-added",
      "type-removed",
      "type-renamed",
      "generated-name-changed",
      "unused-type-changed",
      ...structure,
    ],
    methods: [
      "method-added",
      "method-removed",
      "method-renamed",
      "method-name-reused",
      "generated-name-changed",
    ],
    errors: [
      "error-added",
      "error-removed",
      "error-renamed",
      "error-renamed-in-code",
      "error-name-reused",
      "error-every-method-set",
      "rpc-code-reused",
      "generated-name-changed",
    ],
    events: ["event-added", "event-removed", "event-renamed", "event-name-reused", "generated-name-changed"],
    states: ["state-machine-added", "state-machine-removed"],
    rules: ["rule-added", "rule-removed", "rule-renamed", "signing-rule-added", "signing-rule-removed"],
    resources: ["resource-added", "resource-removed"],
    scenarios: ["scenario-added", "scenario-removed"],
    requirements: ["requirement-added", "requirement-removed"],
  }),
  ...keysOf("interface", {
    ...common,
    name: ["interface-renamed"],
    title: ["title-changed"],
    revision: ["revision-changed", "revision-went-back"],
    path: ["path-changed"],
    schemes: schemeKeys,
    security,
    wire: ["protocol-changed"],
    uses: { silent: "What comes from another spec is compared where it is used." },
    extends: { silent: "What a spec takes over is compared as its own." },
    except: { silent: "What a spec does not take over is compared as its own." },
    serves: earlierRevision,
    services: ["service-added", "service-removed", "generated-name-changed"],
    auth: ["auth-member-added", "auth-member-removed", "auth-header-added", "auth-header-removed"],
    faults: ["fault-added", "fault-removed"],
  }),
  ...keysOf("wire", {
    protocol: ["protocol-changed"],
    params: paramsStyle,
    http: ["http-statuses-changed", "notified-status-changed", "path-changed"],
    "http.path": ["path-changed"],
    "http.status": ["http-statuses-changed"],
    "http.notified": ["notified-status-changed"],
    batch: ["batch-narrowed", "batch-widened"],
    requestId: ["id-pattern-changed", "id-pattern-widened"],
    nullError: ["null-error-added", "null-error-removed"],
    transports: ["transport-added", "transport-removed"],
  }),
  ...keysOf("requestId", { pattern: ["id-pattern-changed", "method-id-pattern-changed"] }),
  ...keysOf("batch", { max: ["batch-narrowed", "batch-widened"] }),
  ...keysOf("servedRevision", {
    revision: earlierRevision,
    spec: earlierRevision,
    section: unread,
    decision: unread,
  }),
  ...keysOf("service", { ...common, codeName: codeNames }),
  ...keysOf("auth", {
    scheme: ["auth-scheme-changed"],
    members: ["auth-member-added", "auth-member-removed"],
    headers: ["auth-header-added", "auth-header-removed"],
  }),
  ...keysOf("authMember", {
    ...common,
    doc: ["doc-changed", "doc-figures-changed", "doc-rule-added", "auth-algorithm-changed"],
    missing: ["auth-missing-code-changed"],
  }),
  ...keysOf("authHeader", {
    ...common,
    doc: ["doc-changed", "doc-figures-changed", "doc-rule-added", "auth-algorithm-changed"],
    format: ["auth-header-format-changed"],
  }),
  ...keysOf("faults", {
    badInput: fault,
    unauthorized: fault,
    badCredential: fault,
    unknownKey: fault,
    invalidSignature: fault,
    conflict: fault,
    unauthenticated: standardFault,
    forbidden: standardFault,
    tooLarge: standardFault,
    rateLimited: fault,
    unavailable: fault,
    internal: fault,
  }),
  ...keysOf("scheme", {
    ...common,
    kind: schemeKeys,
    algorithms: schemeKeys,
    issuer: schemeKeys,
    audience: schemeKeys,
    claims: schemeKeys,
    type: schemeKeys,
    window: schemeKeys,
    leeway: schemeKeys,
    format: schemeKeys,
    header: schemeKeys,
    covers: schemeKeys,
    tag: schemeKeys,
  }),
  ...keysOf("type", {
    ...common,
    codeName: codeNames,
    ...constraints,
    ...objectKeys,
    closed,
    includes,
    fields: [...fields, "unused-type-changed"],
    renamedFrom: moved("type-renamed"),
    enum: [...enumValues, "unused-type-changed"],
    open: ["response-enum-opened", "event-enum-opened", "response-enum-closed", "event-enum-closed"],
    type: [...structure, "unused-type-changed"],
    keys: structure,
    exactlyOne: structure,
    oneOf: structure,
    example: ["example-changed"],
    keep: unread,
  }),
  ...keysOf("tagged", { discriminator: structure, cases: structure }),
  ...keysOf("enumValue", {
    ...common,
    value: enumValues,
    renamedFrom: ["*-enum-value-renamed", "renamed-from-changed"],
  }),
  ...keysOf("field", {
    ...common,
    ...constraints,
    ...objectKeys,
    closed,
    includes,
    name: fields,
    type: [...structure, "unused-type-changed"],
    keys: structure,
    exactlyOne: structure,
    renamedFrom: ["*-field-renamed", "*-field-renamed-compatibly", "renamed-from-changed"],
    default: ["default-changed"],
    optional: [...presence, "*-group-added-met"],
    requiredWhen: conditions,
    "requiredWhen.field": conditions,
    "requiredWhen.is": conditions,
    spellings: secondNames,
    alsoSentAs: secondNames,
    label: ["label-changed"],
    sensitive: ["sensitive-added", "sensitive-removed"],
    identifies: ["sample-changed"],
    refersTo: ["sample-changed"],
    example: ["example-changed"],
  }),
  ...keysOf("object", {
    ...objectKeys,
    closed,
    includes,
    doc: unread,
    section: unread,
    decision: unread,
    since: unread,
    deprecated: unread,
  }),
  ...keysOf("payload", {
    ...objectKeys,
    includes,
    fields: [...fields, ...forms],
    doc: unread,
    section: unread,
    decision,
    since: unread,
    deprecated: unread,
    selectedBy: ["forms-selector-changed", ...forms],
    forms,
  }),
  ...keysOf("form", { ...common, ...objectKeys, includes }),
  ...keysOf("method", {
    ...common,
    codeName: codeNames,
    since: [...sinceRules, "method-name-reused"],
    effect: ["effect-read-to-write", "effect-write-to-read", "effect-set-to-create", "effect-create-to-set"],
    auth: ["method-auth-added", "method-auth-removed", "enveloped-to-flat", "flat-to-enveloped"],
    jsonrpc: ["jsonrpc-added", "jsonrpc-removed"],
    requestId: ["method-id-pattern-changed", "method-id-pattern-widened"],
    security,
    params: paramsStyle,
    notify: ["notifications-refused", "notifications-taken", "answers-removed", "answers-added"],
    flat: ["enveloped-to-flat", "flat-to-enveloped"],
    "flat.selectedBy": [
      "flat-selector-added",
      "flat-selector-removed",
      "flat-selector-restated",
      "flat-bodies-taken",
    ],
    "flat.order": ["flat-order-changed", "flat-bodies-taken"],
    path: ["method-path-changed"],
    payload: [...structure, ...forms, "parameters-moved", "parameter-removed", "first-page-changed"],
    result: structure,
    errors: ["method-error-added", "method-error-removed", "method-error-restated"],
    emits: ["emits-added", "emits-removed"],
    paging: ["paging-added", "paging-removed", "paging-changed", "client-member-changed"],
    "paging.page": ["paging-changed", "first-page-changed", "paging-style-changed"],
    "paging.first": ["paging-changed", "first-page-changed"],
    "paging.cursor": ["paging-changed", "paging-style-changed"],
    "paging.next": ["paging-changed"],
    "paging.size": ["paging-changed"],
    "paging.sizeMax": ["paging-changed"],
    "paging.filter": ["paging-changed"],
    "paging.empty": ["empty-page-changed"],
    "paging.items": ["paging-changed", "client-member-changed"],
    "paging.name": ["client-member-changed"],
    registersKey: ["registers-key-added", "registers-key-removed", "registers-key-changed"],
    "registersKey.publicKey": ["registers-key-changed"],
    "registersKey.keyId": ["registers-key-changed"],
    renamedFrom: moved("method-renamed"),
    examples: ["examples-changed"],
  }),
  ...keysOf("methodError", {
    message: ["method-error-message-changed"],
    condition: ["method-error-condition-changed"],
    section,
    doc: unread,
    decision: unread,
    since: unread,
    deprecated: unread,
  }),
  ...keysOf("example", {
    name: ["examples-changed"],
    payload: ["examples-changed"],
    result: ["examples-changed"],
    error: ["examples-changed"],
    doc: unread,
  }),
  ...keysOf("error", {
    ...common,
    codeName: codeNames,
    since: [...sinceRules, "error-name-reused"],
    renamedFrom: ["error-renamed", "error-renamed-in-code", "renamed-from-changed"],
    message: ["error-message-changed"],
    condition: ["error-condition-changed"],
    action: ["error-action-changed"],
    httpStatus: ["error-status-changed", "error-status-unsent"],
    rpcCode: ["error-rpc-code-changed", "rpc-code-reused"],
    code: ["error-code-changed"],
    data: ["error-data-added", "error-data-removed", ...structure],
    everyMethod: ["error-every-method-set", "error-every-method-unset"],
  }),
  ...keysOf("eventMember", {
    ...common,
    name: fields,
    repeats: ["member-source-changed", ...structure],
    const: [...types, ...constraints.const],
    when: [
      "*-field-optional-to-required",
      "*-field-required-to-optional",
      "member-condition-changed",
      "member-condition-widened",
    ],
    "when.field": ["member-condition-changed"],
    "when.is": ["member-condition-changed", "member-condition-widened"],
  }),
  ...keysOf("event", {
    ...common,
    codeName: codeNames,
    since: [...sinceRules, "event-name-reused"],
    renamedFrom: moved("event-renamed"),
    payload: structure,
    payloadName: ["notification-payload-renamed"],
    otherCauses: ["event-cause-added", "event-cause-removed"],
    members: [...fields, "member-source-changed"],
  }),
  ...keysOf("stateMachine", {
    ...common,
    type: ["state-machine-type-changed"],
    transitions: moves,
  }),
  ...keysOf("transition", {
    ...common,
    from: moves,
    by: moves,
    to: moves,
    condition: ["transition-condition-added", "transition-condition-changed", "transition-condition-removed"],
    effects: ["transition-effects-changed"],
  }),
  ...keysOf("rule", {
    ...common,
    doc: ["rule-changed", "signing-rule-changed"],
  }),
  ...keysOf("resource", {
    ...common,
    absent: ["resource-changed"],
    samples: ["resource-changed"],
    made: ["resource-changed"],
    "made.steps": ["resource-changed"],
    "made.gives": ["resource-changed"],
    kept: ["resource-changed"],
    "kept.before": ["resource-changed"],
    "kept.after": ["resource-changed"],
    removed: ["resource-changed"],
  }),
  ...keysOf("scenario", {
    ...common,
    about: ["scenario-changed"],
    level: ["scenario-changed"],
    alone: ["scenario-changed"],
    steps: ["scenario-changed"],
  }),
  ...keysOf("requirement", {
    ...common,
    cases: ["requirement-changed"],
    untested: ["requirement-changed"],
  }),
]);

function keysOf(
  definition: string,
  keys: Readonly<Record<string, KeyEffect>>,
): readonly (readonly [string, KeyEffect])[] {
  return Object.entries(keys).map(([key, effect]) => [`${definition}.${key}`, effect]);
}

/** The ids that an entry of the table stands for. */
export function rulesOfKey(effect: KeyEffect): readonly string[] {
  if (!isListed(effect)) return [];
  return effect.flatMap((id) =>
    id.startsWith("*-") ? ["request", "response", "event"].map((way) => `${way}${id.slice(1)}`) : [id],
  );
}

function isListed(effect: KeyEffect): effect is readonly string[] {
  return Array.isArray(effect);
}
