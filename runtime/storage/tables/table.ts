import { isDeepStrictEqual } from "node:util";
import { omitUndefined } from "../../contract/index.ts";
import type { Changes } from "../../ports/index.ts";
import type { Column, ColumnType, ColumnValue, SealedPart } from "./column.ts";

/** A column for every field of a record. */
export type Columns<R> = { readonly [Field in keyof R]-?: Column<R[Field]> };

/** The name of a field of `R`. */
export type FieldOf<R> = keyof R & string;

/** A column as SQL sees it. */
export interface ColumnShape {
  /** Its SQL name. */
  readonly name: string;
  readonly type: ColumnType;
  readonly optional: boolean;
  readonly sealed?: SealedPart;
  /** The only values that a database takes, where it checks them. */
  readonly words?: readonly string[];
  /** The value of a row that gives none. */
  readonly standard?: string | number;
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
}

/** How the records of one collection are kept: what every adapter and every statement derives from. */
export interface Table<R> extends TableShape {
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
  readonly sequenceColumn?: string;
  readonly numbered?: readonly { readonly field: FieldOf<R>; readonly within?: FieldOf<R> }[];
  readonly columnsBeside?: readonly Column<unknown>[];
  readonly indexes?: Readonly<Record<string, readonly FieldOf<R>[] | IndexDraft<R>>>;
  readonly isClustered?: boolean;
}

/** An index that is more than the columns it is ordered by. */
export interface IndexDraft<R> {
  readonly by: readonly FieldOf<R>[];
  readonly present?: FieldOf<R>;
  readonly isWholeOnServer?: boolean;
  readonly isForOneProcess?: boolean;
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

  return {
    name,
    columns: fields.map(columnOf),
    key: draft.key.map(columnOf),
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
    ...omitUndefined({ sequenceColumn }),
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
    partOf: (picked) => ({ columns: picked.map(columnOf), decode: decoderOf(name, columns, picked) }),
  };

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
  const { name, type, optional, sealed, words, standard } = column;
  return omitUndefined({ name, type, optional, index, sealed, words, standard });
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
  return values.length === fields.length;
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
