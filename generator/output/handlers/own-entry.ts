/** The own value of a record under a name; never an inherited one, such as `constructor`. */
export function ownEntry<V>(record: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
