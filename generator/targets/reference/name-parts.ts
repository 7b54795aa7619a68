/** The parts of a name, between which a narrow screen may break it: after `.`, `_`, `/` and before a capital or `{`. */
export function nameParts(name: string): readonly string[] {
  return name.split(/(?<=[._/])|(?<=[\p{Ll}\d])(?=[\p{Lu}{])/u);
}
