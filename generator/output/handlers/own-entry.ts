/** What a record holds under a name; never what it inherits, such as `constructor`. */
export function ownEntry<V>(record: Readonly<Record<string, V>>, name: string): V | undefined {
  return Object.hasOwn(record, name) ? record[name] : undefined;
}
