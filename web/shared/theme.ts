import { elementOf, show } from "./dom.ts";
import { icon } from "./icon.ts";

/** The reference pages keep the reader's choice under the same name. */
const keptAs = "theme";

const themes = ["system", "light", "dark"] as const;
type Theme = (typeof themes)[number];

const icons = { system: "screen", light: "sun", dark: "moon" } as const;

/** Shows the page in the theme that the reader chose, and the button that changes it. */
export function startTheme(): void {
  const button = elementOf("theme");
  let theme = keptTheme();
  const set = (): void => {
    document.documentElement.dataset["theme"] = theme;
    const words = `Theme: ${theme}`;
    button.title = words;
    button.setAttribute("aria-label", words);
    show(button, icon(icons[theme]));
  };
  button.addEventListener("click", () => {
    theme = themes[(themes.indexOf(theme) + 1) % themes.length] ?? "system";
    keep(theme);
    set();
  });
  set();
  button.hidden = false;
}

/** A browser may refuse to keep anything: then the system's theme is shown. */
function keptTheme(): Theme {
  try {
    const kept = localStorage.getItem(keptAs);
    return themes.find((theme) => theme === kept) ?? "system";
  } catch {
    return "system";
  }
}

function keep(theme: Theme): void {
  try {
    if (theme === "system") localStorage.removeItem(keptAs);
    else localStorage.setItem(keptAs, theme);
  } catch {
    // The choice lasts until the page is left.
  }
}
