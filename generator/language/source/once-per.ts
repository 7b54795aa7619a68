/** `make`, called once for each object: the value lives as long as the object it was made of. */
export function oncePer<Key extends object, Made>(make: (key: Key) => Made): (key: Key) => Made {
  const made = new WeakMap<Key, { readonly value: Made }>();
  return remembering(made, make);
}

/** `make`, called once for each text in the life of the process: for few texts, such as names of templates. */
export function oncePerText<Made>(make: (text: string) => Made): (text: string) => Made {
  return remembering(new Map<string, { readonly value: Made }>(), make);
}

interface Remembered<Key, Made> {
  get(key: Key): { readonly value: Made } | undefined;
  set(key: Key, made: { readonly value: Made }): unknown;
}

function remembering<Key, Made>(made: Remembered<Key, Made>, make: (key: Key) => Made): (key: Key) => Made {
  return (key) => {
    const known = made.get(key);
    if (known !== undefined) return known.value;
    const value = make(key);
    made.set(key, { value });
    return value;
  };
}
