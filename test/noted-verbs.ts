import type { Writes } from "../runtime/store/ports/index.ts";

/** A transaction that names each question and change, such as `update deliveries`, before it does it. */
export function notedVerbs(tx: Writes, note: (asked: string) => void): Writes {
  return {
    one: (query, ...values) => {
      note(`one ${query.table.name}`);
      return tx.one(query, ...values);
    },
    many: (query, ...values) => {
      note(`many ${query.table.name}`);
      return tx.many(query, ...values);
    },
    count: (query, ...values) => {
      note(`count ${query.table.name}`);
      return tx.count(query, ...values);
    },
    page: (page) => {
      note("query" in page ? `page ${page.query.table.name}` : "page");
      return tx.page(page);
    },
    insert: (table, ...records) => {
      note(`insert ${table.name}`);
      return tx.insert(table, ...records);
    },
    put: (table, ...records) => {
      note(`put ${table.name}`);
      return tx.put(table, ...records);
    },
    replace: (table, record, before) => {
      note(`replace ${table.name}`);
      return tx.replace(table, record, before);
    },
    update: (query, changes, ...values) => {
      note(`update ${query.table.name}`);
      return tx.update(query, changes, ...values);
    },
    take: (query, ...values) => {
      note(`take ${query.table.name}`);
      return tx.take(query, ...values);
    },
    remove: (query, ...values) => {
      note(`remove ${query.table.name}`);
      return tx.remove(query, ...values);
    },
  };
}
