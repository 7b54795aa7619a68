import { vi } from "vitest";

/**
 * The part of a document that the pages' modules need to build and read elements. For tests of requests, texts and
 * form values. What they look like, and how a reader moves in them, takes a browser.
 */
export class SmallElement extends EventTarget {
  readonly nodeName: string;
  readonly attributes = new Map<string, string>();
  childNodes: (SmallElement | string)[] = [];
  value = "";
  checked = false;
  disabled = false;
  readonly isConnected = false;

  constructor(nodeName: string) {
    super();
    this.nodeName = nodeName;
  }
  get id(): string {
    return this.attributes.get("id") ?? "";
  }
  get textContent(): string {
    return this.childNodes.map((each) => (typeof each === "string" ? each : each.textContent)).join("");
  }
  get childElementCount(): number {
    return this.childNodes.length;
  }
  setAttribute(name: string, value: string): void {
    this.attributes.set(name, value);
  }
  removeAttribute(name: string): void {
    this.attributes.delete(name);
  }
  append(...children: readonly (SmallElement | string)[]): void {
    this.childNodes.push(...children);
  }
  prepend(...children: readonly (SmallElement | string)[]): void {
    this.childNodes.unshift(...children);
  }
  replaceChildren(...children: readonly (SmallElement | string)[]): void {
    this.childNodes = [...children];
  }
  cloneNode(): SmallElement {
    return this;
  }
  isEqualNode(): boolean {
    return false;
  }
  querySelector(): null {
    return null;
  }
  remove(): void {}
  focus(): void {}
  showModal(): void {}
}

/** Lets the modules of the pages find a document. Gives its body. */
export function installSmallDom(): SmallElement {
  const body = new SmallElement("body");
  vi.stubGlobal("Node", SmallElement);
  vi.stubGlobal("document", {
    hidden: false,
    activeElement: null,
    documentElement: { clientWidth: 800 },
    body,
    querySelector: () => null,
    createElement: (name: string) => new SmallElement(name),
    createElementNS: (_space: string, name: string) => new SmallElement(name),
  });
  return body;
}

/** All elements of a kind within one, in their order. */
export function elementsOf(within: SmallElement, nodeName: string): readonly SmallElement[] {
  return within.childNodes.flatMap((child) =>
    typeof child === "string"
      ? []
      : [...(child.nodeName === nodeName ? [child] : []), ...elementsOf(child, nodeName)],
  );
}
