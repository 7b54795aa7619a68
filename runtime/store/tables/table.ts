import { isDeepStrictEqual } from "node:util";
import { omitUndefined } from "../../contract/index.ts";
import { oncePer } from "../../contract/values.ts";
import type { AuditChange } from "../records/audit.ts";
import { changesBetween, recordedFields, recordedValues, type AuditedFields } from "./audit-rule.ts";
import type { Column, ColumnType, ColumnValue, SealedPart } from "./column.ts";

/** A column for every field of a record. */
export type Columns<R> = { readonly [Field in keyof R]-?: Column<R[Field]> };

/** The name of a field of `R`. */
export type FieldOf<R> = keyof R & string;

/** New values of some fields; `undefined` makes a field absent. */
export type Changes<R> = { readonly [Field in keyof R]?: R[Field] | undefined };

/** A column as SQL sees it. */
export interface ColumnShape {
  /** Its SQL name. */
  readonly name: string;
  readonly type: ColumnType;
  readonly optional: boolean;
  readonly sealed?: SealedPart;
  readonly holdsSealed?: SealedPart;
  /** The only values that a database takes, where it checks them. */
  readonly words?: readonly string[];
  /** The value of a row that gives none. */
  readonly standard?: string | number | boolean;
  /** Its position in an encoded record. */
  readonly index: number;
}

/** An index as SQL sees it. */
export interface IndexShape {
  readonly name: string;
  readonly columns: readonly string[];
  /** Holds only the rows that have a value in this column. */
  readonly present?: string;
  /** Whether no two rows share the values. */
  readonly isUnique?: boolean;
  /** A database server holds the others in it, too. */
  readonly isWholeOnServer?: boolean;
  /** Serves a question that is asked only where one process has the store. */
  readonly isForOneProcess?: boolean;
}

/** A table as SQL sees it, whatever its records are. */
export interface TableShape {
  readonly name: string;
  readonly columns: readonly ColumnShape[];
  /** The columns that identify a record. */
  readonly key: readonly ColumnShape[];
  /** Further sets of columns that no two records share. */
  readonly unique: readonly (readonly ColumnShape[])[];
  /** Columns that hold the key of a record in another table; where one is absent, nothing is referred to. */
  readonly references: readonly {
    readonly columns: readonly ColumnShape[];
    /** A thunk, because a table may refer to itself. */
    readonly to: () => TableShape;
  }[];
  /** Columns that `replace` leaves as they are. */
  readonly keptByReplace: readonly ColumnShape[];
  /** Columns that are costly to write and seldom change: documents, what is sealed, and references. */
  readonly costly: readonly ColumnShape[];
  /** A column beside the record's, numbering records in the order of insertion where that order is asked for. */
  readonly sequenceColumn?: string;
  /**
   * Columns that the store fills with the next number, from 1, if a record comes without one. The numbers run over all
   * records, or over those that have the same value in the column `within`.
   */
  readonly numbered: readonly { readonly column: ColumnShape; readonly within?: ColumnShape }[];
  /** Columns that are beside the record's because only statements of their own touch them. */
  readonly columnsBeside: readonly ColumnShape[];
  readonly indexes: readonly IndexShape[];
  /** Whether an engine that can do so keeps the rows in the order of the key, and not in that of insertion. */
  readonly isClustered: boolean;
  /** Present where each change of a record leaves an audit entry. */
  readonly audit?: AuditShape;
}

/** How changes of a table's records are audited, whatever its records are. */
export interface AuditShape {
  readonly subjectType: string;
  /** The column that entries name a record by. */
  readonly subject: ColumnShape;
  /** Whether the records belong to no institution. */
  readonly isOfService: boolean;
  /** The fields that entries tell the values of. What else entries tell was done with a record, and changed none of it. */
  readonly told: readonly string[];
  /** The values of fields in rows that are older than the column. */
  readonly standards: ReadonlyMap<string, string | undefined>;
  /** The values that a row's entries should result in, field by field. Throws for values that are never written. */
  recordedOf(values: readonly ColumnValue[]): ReadonlyMap<string, string | undefined>;
}

/** How changes of records are audited. */
export interface TableAudit<R> extends AuditShape {
  subjectOf(record: Partial<R>): string;
  /** The changed fields of a record; of one that was added or removed, all fields that it has. */
  changesBetween(before: Partial<R> | undefined, after: Partial<R> | undefined): readonly AuditChange[];
  /** The same query, reading of each record its subject and the fields that are about to change. */
  narrowed(query: Query<R>, changes: Changes<R>): PartQuery<Partial<R>>;
}

/** A question as SQL sees it: rows whose columns compare with the values given at execution, in this order. */
export interface QueryShape {
  readonly table: TableShape;
  /**
   * An absent value compares with nothing. `contains`: the text is part of the column's. `in`: the column's text is one
   * of those in a JSON array.
   */
  readonly where: readonly Condition[];
  /** A column that is not absent: an index of the records that have it answers without them. */
  readonly present?: ColumnShape;
  /** A column that is absent. */
  readonly absent?: ColumnShape;
  /** "insertion" is the order of insertion. Absent where at most one record can match. */
  readonly order?: readonly ColumnShape[] | "insertion";
  /** Where a count ends; absent: at `countMax`. */
  readonly countTo?: number;
  /** Whether the order is the other way round, the greatest first. */
  readonly descending?: true;
  /** Whether only records after a place in the order are asked for: its values, one a column, follow those of `where`. */
  readonly after?: true;
  /** Only the first record of each value of this text column, in its order. `order` says which is the first. */
  readonly firstOf?: ColumnShape;
  /** Whether a last value bounds the number of records. */
  readonly limited: boolean;
  /** The fields that are read; absent: all. */
  readonly part?: Pick<TablePart<unknown>, "columns"> | undefined;
  /**
   * How a transaction holds records until it ends, in an engine that runs several at once. Others wait for them, pass
   * over them (`skip`), or find nothing meanwhile (`turn`).
   */
  readonly locks?: "wait" | "skip" | "turn";
  /** Whether it is asked so often that a view, whose answers never change, keeps them. */
  readonly isKept?: true;
}

export interface Condition {
  readonly column: ColumnShape;
  readonly op: "=" | "<" | "<=" | ">" | ">=" | "contains" | "in";
  /** Whether the records are found by the other conditions alone: an index of this column would give most of the table. */
  readonly isSifting?: true;
}

/** A question about one table: a datum, so that each adapter answers all of them with one piece of code. */
export interface Query<R> extends QueryShape {
  readonly table: Table<R>;
  readonly part?: undefined;
}

/** A question that reads some fields of its records alone. */
export interface PartQuery<P> extends QueryShape {
  readonly part: TablePart<P>;
}

/** A statement of PostgreSQL that removes marks. */
export interface Unmark {
  readonly sql: string;
  readonly values: readonly ColumnValue[];
}

/** How the records of one collection are kept: what every adapter and every statement derives from. */
export interface Table<R> extends TableShape {
  /** The record with a key. */
  readonly byKey: Query<R>;
  readonly audit?: TableAudit<R>;
  columnOf(field: FieldOf<R>): ColumnShape;
  /** The record's values in column order. */
  encode(record: R): readonly ColumnValue[];
  /** Its values in some columns, in their order. */
  encodeColumns(record: R, columns: readonly ColumnShape[]): readonly ColumnValue[];
  /** Whether two records have the same values in the costly columns. */
  isCostlySame(before: R, after: R): boolean;
  /** How these fields are changed, whatever their values are: the same object for the same fields. */
  changeOf(changes: Changes<R>): TableChange<R>;
  decode(values: readonly ColumnValue[]): R;
  /** Some fields alone. */
  partOf<Field extends FieldOf<R>>(fields: readonly Field[]): TablePart<Pick<R, Field>>;
  /** Throws where a new record cannot begin so. */
  requireNew(record: R): void;
  /** The statement that goes with each insertion on a server: marks of lists behind the record count one too few then. */
  readonly unmark?: (row: readonly ColumnValue[]) => Unmark;
  /** Answers that are kept as of a state, which an object stands for. */
  answersOf(state: object): Map<string, readonly R[]>;
}

/** Some fields of a table's records. */
export interface TablePart<R> {
  readonly columns: readonly ColumnShape[];
  /** Reads the fields from values in the order of `columns`. */
  decode(values: readonly ColumnValue[]): R;
}

/** A change of some fields. */
export interface TableChange<R> {
  readonly columns: readonly ColumnShape[];
  /** The new values in the order of `columns`. */
  encode(changes: Changes<R>): readonly ColumnValue[];
}

/** The definition of a table as its author writes it. */
export interface TableDraft<R> {
  readonly name: string;
  readonly columns: Columns<R>;
  readonly key: readonly FieldOf<R>[];
  readonly unique?: readonly (readonly FieldOf<R>[])[];
  readonly references?: readonly { readonly fields: readonly FieldOf<R>[]; readonly to: () => TableShape }[];
  readonly keptByReplace?: readonly FieldOf<R>[];
  /** Throws where a new record cannot begin so. */
  readonly requireNew?: (record: R) => void;
  /** Removes marks of lists with each insertion on PostgreSQL, elsewhere triggers do: the SQL, and the fields it takes. */
  readonly unmarks?: { readonly sql: string; readonly by: readonly FieldOf<R>[] };
  readonly sequenceColumn?: string;
  readonly numbered?: readonly { readonly field: FieldOf<R>; readonly within?: FieldOf<R> }[];
  readonly columnsBeside?: readonly Column<unknown>[];
  readonly indexes?: Readonly<Record<string, readonly FieldOf<R>[] | IndexDraft<R>>>;
  readonly isClustered?: boolean;
  readonly audited?: AuditRule<R>;
  /** Whether answers to `byKey` are kept by a view. */
  readonly isKept?: true;
}

/** An index that is more than the columns it is ordered by. */
export interface IndexDraft<R> {
  readonly by: readonly FieldOf<R>[];
  readonly present?: FieldOf<R>;
  readonly isWholeOnServer?: boolean;
  readonly isForOneProcess?: boolean;
}

/** Says that each change of a record leaves an audit entry, and what it tells. */
export interface AuditRule<R> {
  readonly subjectType: string;
  /** The field that entries name a record by. */
  readonly by: FieldOf<R>;
  /** What entries name it by, where that is not the text itself. */
  readonly named?: (text: string) => string;
  /** Every field is decided on, so that a new one cannot be forgotten. */
  readonly fields: AuditedFields<R>;
  readonly isOfService?: true;
}

type Draft<R> = { -readonly [Field in keyof R]?: R[Field] };

/** Derives from a draft what adapters need. */
// oxlint-disable-next-line max-lines-per-function -- the parts of a table are made from its columns, which they share
export function defineTable<R extends object>(draft: TableDraft<R>): Table<R> {
  const {
    name,
    columns,
    unique = [],
    references = [],
    keptByReplace = [],
    sequenceColumn,
    numbered = [],
    columnsBeside = [],
    indexes = {},
    isClustered = false,
    audited,
    isKept,
    requireNew = () => undefined,
    unmarks,
  } = draft;
  const fields = fieldsOf(columns);
  // Made once, because the records of a flood pass through them.
  const encoders = fields.map((field) => encoderOf(columns[field], field));
  const knownChanges = new Map<string, TableChange<R>>();
  const shapes = new Map(fields.map((field, index) => [field, shapeOf(columns[field], index)]));
  const referring = new Set(references.flatMap((reference) => reference.fields));
  const costly = fields.filter((field) => {
    const { type, sealed } = columns[field];
    return !draft.key.includes(field) && (type === "json" || sealed !== undefined || referring.has(field));
  });

  const key = draft.key.map(columnOf);
  let keyQuery: Query<R> | undefined;
  const table: Table<R> = {
    name,
    columns: fields.map(columnOf),
    key,
    get byKey() {
      const where = key.map((column) => ({ column, op: "=" as const }));
      return (keyQuery ??= { table, where, limited: false, ...omitUndefined({ isKept }) });
    },
    unique: unique.map((set) => set.map(columnOf)),
    references: references.map((reference) => ({
      columns: reference.fields.map(columnOf),
      to: reference.to,
    })),
    keptByReplace: keptByReplace.map(columnOf),
    costly: costly.map(columnOf),
    numbered: numbered.map(({ field, within }) => ({
      column: columnOf(field),
      ...(within !== undefined && { within: columnOf(within) }),
    })),
    columnsBeside: columnsBeside.map((column, index) => shapeOf(column, fields.length + index)),
    indexes: Object.entries(indexes).map(([indexName, given]) => indexOf(indexName, given)),
    isClustered,
    ...omitUndefined({
      sequenceColumn,
      audit: audited && auditOf(audited),
      unmark: unmarks && unmarkOf(unmarks),
    }),
    columnOf,
    encode: (record) => encoders.map((encode) => encode(record)),
    encodeColumns: (record, picked) => picked.map(({ index }) => encoders[index]?.(record) ?? null),
    isCostlySame: (before, after) => costly.every((field) => isDeepStrictEqual(before[field], after[field])),
    changeOf: (changes) => {
      const names = Object.keys(changes).join();
      const found = knownChanges.get(names) ?? newChange(changes);
      knownChanges.set(names, found);
      return found;
    },
    decode: decoderOf(name, columns, fields),
    partOf,
    requireNew,
    answersOf: oncePer(() => new Map<string, readonly R[]>()),
  };
  return table;

  function partOf<Field extends FieldOf<R>>(picked: readonly Field[]): TablePart<Pick<R, Field>> {
    return { columns: picked.map(columnOf), decode: decoderOf(name, columns, picked) };
  }

  function unmarkOf({
    sql,
    by,
  }: NonNullable<TableDraft<R>["unmarks"]>): (row: readonly ColumnValue[]) => Unmark {
    const taken = by.map(columnOf);
    return (row) => ({ sql, values: taken.map(({ index }) => row[index] ?? null) });
  }

  function auditOf(rule: AuditRule<R>): TableAudit<R> {
    const { subjectType, by, named = String, fields: treatments, isOfService = false } = rule;
    const narrowings = new Map<string, (query: Query<R>) => PartQuery<Partial<R>>>();
    const subject = columnOf(by);
    return {
      subjectType,
      subject,
      isOfService,
      told: recordedFields(treatments),
      standards: recordedValues(treatments, standardRecord()),
      recordedOf: (values) => recordedValues(treatments, table.decode(values)),
      subjectOf: (record) => {
        const value: unknown = record[by];
        if (typeof value !== "string") throw new Error(`table ${name}: an audited record has no ${by}`);
        return named(value);
      },
      changesBetween: (before, after) => changesBetween(treatments, before, after),
      narrowed: (query, changes) => {
        const read = fields.filter((field) => field === by || Object.hasOwn(changes, field));
        const names = read.join();
        const part: TablePart<Partial<R>> = {
          columns: read.map(columnOf),
          decode: decoderOf(name, columns, read),
        };
        const narrow = narrowings.get(names) ?? oncePer((asked: Query<R>) => ({ ...asked, part }));
        narrowings.set(names, narrow);
        return narrow(query);
      },
    };
  }

  function standardRecord(): Partial<R> {
    const record: Draft<R> = {};
    for (const field of fields) {
      const { type, standard } = columns[field];
      if (standard === undefined) continue;
      fieldDecoder(columns[field], field)(type === "bigint" ? BigInt(standard) : standard, record);
    }
    return record;
  }

  function columnOf(field: FieldOf<R>): ColumnShape {
    const shape = shapes.get(field);
    if (shape === undefined) throw new Error(`table ${name} has no column for ${field}`);
    return shape;
  }

  function indexOf(indexName: string, given: readonly FieldOf<R>[] | IndexDraft<R>): IndexShape {
    const { by, present, ...rest }: IndexDraft<R> = "by" in given ? given : { by: given };
    return {
      ...rest,
      name: indexName,
      columns: by.map((field) => columnOf(field).name),
      ...omitUndefined({ present: present && columnOf(present).name }),
    };
  }

  function newChange(changes: Changes<R>): TableChange<R> {
    const changed = fields.filter((field) => Object.hasOwn(changes, field));
    const changeEncoders = changed.map((field) => changeEncoderOf(field));
    return {
      columns: changed.map(columnOf),
      encode: (values) => changeEncoders.map((encode) => encode(values)),
    };
  }

  function changeEncoderOf<Field extends FieldOf<R>>(field: Field): (changes: Changes<R>) => ColumnValue {
    const column = columns[field];
    return (changes) => {
      const value = changes[field];
      if (value !== undefined) return column.encode(value);
      if (!column.optional) throw new TypeError(`table ${name}: ${field} cannot be absent`);
      return null;
    };
  }
}

function encoderOf<R, Field extends keyof R>(
  column: Column<R[Field]>,
  field: Field,
): (record: R) => ColumnValue {
  return (record) => column.encode(record[field]);
}

/** Reads some fields from their values. */
function decoderOf<R>(
  table: string,
  columns: Columns<R>,
  fields: readonly FieldOf<R>[],
): (values: readonly ColumnValue[]) => R {
  // Made once, because the records of a flood pass through them.
  const decoders = fields.map((field) => fieldDecoder(columns[field], field));
  return (values) => {
    const record: Draft<R> = {};
    let index = 0;
    for (const decode of decoders) decode(values[index++] ?? null, record);
    if (!isComplete(record, values, fields)) throw new Error(`table ${table}: a row lacks columns`);
    return record;
  };
}

/** Throws where a value is absent that may not be. */
function fieldDecoder<R, Field extends keyof R>(
  { decode, optional }: Column<R[Field]>,
  field: Field,
): (value: ColumnValue, record: Draft<R>) => void {
  return (value, record) => {
    if (value !== null || !optional) record[field] = decode(value);
  };
}

function shapeOf<T>(column: Column<T>, index: number): ColumnShape {
  const { name, type, optional, sealed, holdsSealed, words, standard } = column;
  return omitUndefined({ name, type, optional, index, sealed, holdsSealed, words, standard });
}

function fieldsOf<R>(columns: Columns<R>): readonly FieldOf<R>[] {
  const fields: FieldOf<R>[] = [];
  for (const field in columns) if (Object.hasOwn(columns, field)) fields.push(field);
  return fields;
}

/** Each of the values was decoded, or that threw. */
function isComplete<R>(
  _record: Draft<R>,
  values: readonly ColumnValue[],
  fields: readonly FieldOf<R>[],
): _record is Draft<R> & R {
  return values.length >= fields.length;
}

/** Tables in an order in which none refers to a later one but itself. */
export function inOrder(tables: readonly TableShape[]): readonly TableShape[] {
  const ordered = new Set<TableShape>();
  const add = (table: TableShape): void => {
    if (ordered.has(table)) return;
    for (const { to } of table.references) if (to() !== table) add(to());
    ordered.add(table);
  };
  for (const table of tables) add(table);
  return [...ordered];
}
