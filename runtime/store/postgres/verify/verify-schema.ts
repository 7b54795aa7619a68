import { createHash } from "node:crypto";
import type { Findings } from "../../common/verify/index.ts";
import type { BookRows } from "../../common/verify/rules.ts";
import type { Schema } from "../../tables/schema.ts";
import { schemaLines } from "../schema.ts";

/**
 * The parts of this program's tables, by name: columns, constraints, indexes and triggers, each as a digest of what
 * PostgreSQL says of it. Triggers and rules of its tables are marked: others than the program's change what is written.
 */
export const schemaSql = `SELECT name, md5(string_agg(said, E'\\n' ORDER BY said COLLATE "C")), max(intervenes) FROM (
    SELECT c.relname::TEXT AS name, a.attname || ' ' || format_type(a.atttypid, a.atttypmod) ||
      coalesce(' ' || l.collname, '') || CASE WHEN a.attnotnull THEN ' NOT NULL' ELSE '' END ||
      coalesce(' ' || pg_get_expr(d.adbin, d.adrelid), '') AS said, 0 AS intervenes
    FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
      LEFT JOIN pg_collation l ON l.oid = a.attcollation
      LEFT JOIN pg_attrdef d ON d.adrelid = c.oid AND d.adnum = a.attnum
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::REGNAMESPACE
    UNION ALL
    SELECT o.conname, c.relname || ' ' || pg_get_constraintdef(o.oid) || CASE WHEN o.convalidated THEN '' ELSE ' unchecked' END, 0
    FROM pg_constraint o JOIN pg_class c ON c.oid = o.conrelid
    WHERE o.contype IN ('c', 'f', 'p', 'u', 'x') AND o.connamespace = current_schema()::REGNAMESPACE
    UNION ALL
    SELECT i.relname, replace(pg_get_indexdef(x.indexrelid), quote_ident(current_schema()) || '.', '') ||
      CASE WHEN x.indisvalid THEN '' ELSE ' invalid' END, 0
    FROM pg_index x JOIN pg_class i ON i.oid = x.indexrelid
    WHERE i.relnamespace = current_schema()::REGNAMESPACE
    UNION ALL
    SELECT c.relname, 'a trigger is off', 0
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
    WHERE t.tgenabled NOT IN ('O', 'A') AND c.relnamespace = current_schema()::REGNAMESPACE
    UNION ALL
    SELECT t.tgname, pg_get_triggerdef(t.oid) || f.prosrc, 1
    FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid JOIN pg_proc f ON f.oid = t.tgfoid
    WHERE NOT t.tgisinternal AND c.relnamespace = current_schema()::REGNAMESPACE
    UNION ALL
    SELECT r.rulename, pg_get_ruledef(r.oid), 1
    FROM pg_rewrite r JOIN pg_class c ON c.oid = r.ev_class
    WHERE c.relkind IN ('r', 'p') AND c.relnamespace = current_schema()::REGNAMESPACE
  ) AS described GROUP BY name ORDER BY name`;

/** Compares the schema with that of a new database. Further tables and indexes in the same database are left alone. */
export function verifySchema(schema: Schema, { rows }: BookRows, findings: Findings): void {
  findings.during("(schema)", () => {
    const expected = new Map(
      schemaLines(schema)
        .entries()
        .map(([name, lines]) => [name, digestOf(lines)]),
    );
    const found = new Map<string, string>();
    for (const [name, digest, intervenes] of rows(schemaSql, [])) {
      if (Number(intervenes) === 1 || expected.has(String(name))) {
        found.set(String(name), String(digest));
      }
    }
    for (const name of new Set([...expected.keys(), ...found.keys()])) {
      if (expected.get(name) === found.get(name)) continue;
      findings.add({ kind: "schema", table: name, what: difference(expected.has(name), found.has(name)) });
    }
  });
}

function difference(isExpected: boolean, isFound: boolean): string {
  if (!isFound) return "is missing";
  return isExpected
    ? "is not as this program makes it"
    : "is a trigger or a rule that is none of this program's";
}

function digestOf(lines: readonly string[]): string {
  return createHash("md5").update(lines.join("\n")).digest("hex");
}
