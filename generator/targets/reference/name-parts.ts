/** The parts of a name, between which a narrow screen may break it: after a dot and before a capital. For the partial `name`. */
export function nameParts(name: string): readonly string[] {
  return name.split(/(?<=\.)|(?<=[\p{Ll}\d])(?=\p{Lu})/u);
}
