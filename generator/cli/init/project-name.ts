/** How a name is written where it stands: `my-service`, `myService`, `MyService`, `My service`. */
export interface ProjectNames {
  readonly name: string;
  readonly camel: string;
  readonly pascal: string;
  readonly title: string;
}

/** Undefined for what is no name of a project: it names its folder, its package and its interface. */
export function projectNames(name: string): ProjectNames | undefined {
  if (!/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name) || name.length > 64) return undefined;
  const words = name.split("-");
  const camel = words.map((word, at) => (at === 0 ? word : capitalized(word))).join("");
  return { name, camel, pascal: capitalized(camel), title: capitalized(words.join(" ")) };
}

function capitalized(word: string): string {
  return word.slice(0, 1).toUpperCase() + word.slice(1);
}
