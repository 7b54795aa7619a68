import { oncePer } from "../../../contract/once-per.ts";
import type { ReadEngine } from "../../common/engine.ts";
import type { ColumnValue, QueryShape } from "../../tables/index.ts";

/** An engine that looks the records that most operations need up only once. */
export interface KeptAnswers {
  readonly engine: ReadEngine;
  /** To be called when the engine comes to show another state. */
  forget(): void;
}

const answersMax = 1_000;

/**
 * Keeps the answers to queries with `isKept`: a snapshot never changes, so neither do they, and decoding a wide record
 * costs more than the rest of a small operation. `onAsked` is called at each question, but not at lists.
 */
export function keepAnswers(engine: ReadEngine, onAsked: () => void): KeptAnswers {
  /** The state that is shown: tables keep its answers by this object. */
  let state = {};
  return {
    engine: {
      one: (query, values) => {
        onAsked();
        if (query.isKept === undefined) return engine.one(query, values);
        const answers = query.table.answersOf(state);
        const name = nameOf(query, values);
        const known = answers.get(name);
        if (known !== undefined) return known[0];
        const found = engine.one(query, values);
        if (!(found instanceof Promise)) keep(answers, name, found === undefined ? [] : [found]);
        return found;
      },
      many: (query, values) => {
        onAsked();
        if (query.isKept === undefined || query.part !== undefined) return engine.many(query, values);
        const answers = query.table.answersOf(state);
        const name = nameOf(query, values);
        const known = answers.get(name);
        if (known !== undefined) return known;
        const found = engine.many(query, values);
        if (!(found instanceof Promise)) keep(answers, name, found);
        return found;
      },
      count: (query, values) => {
        onAsked();
        return engine.count(query, values);
      },
      list: (listing, asked) => engine.list(listing, asked),
    },
    forget: () => {
      state = {};
    },
  };
}

function keep<R>(answers: Map<string, readonly R[]>, name: string, found: readonly R[]): void {
  if (answers.size === answersMax) answers.clear();
  answers.set(name, found);
}

const columnsOf = oncePer(({ where }: QueryShape) => where.map(({ column }) => column.name).join());

function nameOf(query: QueryShape, values: readonly ColumnValue[]): string {
  return [columnsOf(query), ...values].join("\n");
}
