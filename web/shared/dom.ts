/** The content of an element. Texts stay texts: none is parsed as markup. */
export type Child = Node | string | number | undefined | readonly Child[];

type AttributeValue = string | number | boolean | undefined | ((event: Event) => void);

/** Attributes by name; `on…` takes a listener; `true` is an attribute without a value, `false` and undefined none. */
export type Attributes = Readonly<Record<string, AttributeValue>>;

/** Makes an element. */
export function el<Tag extends keyof HTMLElementTagNameMap>(
  tag: Tag,
  attributes: Attributes = {},
  ...children: readonly Child[]
): HTMLElementTagNameMap[Tag] {
  const element = document.createElement(tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** Makes an element of a picture. */
export function svg(tag: string, attributes: Attributes = {}, ...children: readonly Child[]): SVGElement {
  const element = document.createElementNS("http://www.w3.org/2000/svg", tag);
  setAttributes(element, attributes);
  append(element, children);
  return element;
}

/** Replaces what an element contains. */
export function show(element: Element, ...children: readonly Child[]): void {
  element.replaceChildren();
  append(element, children);
}

function setAttributes(element: Element, attributes: Attributes): void {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name.slice(2), value);
    else if (value === true) element.setAttribute(name, "");
    else if (value !== false && value !== undefined) element.setAttribute(name, String(value));
  }
}

function append(element: Element, children: readonly Child[]): void {
  for (const child of children) {
    if (child === undefined) continue;
    if (isList(child)) append(element, child);
    else element.append(child instanceof Node ? child : String(child));
  }
}

function isList(child: Child): child is readonly Child[] {
  return Array.isArray(child);
}

let lastId = 0;

/** An id that no other element of the page has. */
export function newId(prefix: string): string {
  lastId += 1;
  return `${prefix}-${lastId}`;
}

/** An element of the document that has to be there. */
export function elementOf(id: string): HTMLElement {
  const found = document.getElementById(id);
  if (found === null) throw new Error(`the page has no element ${id}`);
  return found;
}

/** Lets the link that skips the navigation lead to the content; its address would be one of the site's pages. */
export function skipToContent(): void {
  document.querySelector(".skip")?.addEventListener("click", (event) => {
    event.preventDefault();
    elementOf("main").focus();
  });
}
