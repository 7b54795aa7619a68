import { el, newId, show, type Child } from "./dom.ts";
import { failureText, isTemporary, mayHaveHappened, serviceText } from "./failure.ts";
import { createForm } from "./form.ts";
import type { JsonObject } from "./json.ts";
import { humanLabel } from "./labels.ts";
import type { SchemaDocument } from "./schema.ts";
import type { Suggest } from "./suggestions.ts";
import { showProblems, type Validate } from "./validator.ts";
import { actions, notice, prose } from "./view.ts";

/** A form in a dialog, and what is done with it. */
export interface FormDialogOptions {
  readonly title: string;
  /** Why and with what effect. */
  readonly text?: string;
  readonly document: SchemaDocument;
  readonly schema: JsonObject;
  readonly validate: Validate;
  readonly initial?: JsonObject;
  readonly fixed?: JsonObject;
  /** The values that fields may have. */
  readonly suggest?: Suggest | undefined;
  /** The label of the button. */
  readonly action: string;
  /** A word that has to be typed first: what cannot be undone. */
  readonly confirm?: string;
  /** Gives what is shown when it was done. Rejects with what is shown as an error. */
  readonly send: (payload: JsonObject) => Promise<Child>;
  /** The field at fault, where the service names one. */
  readonly fieldOf: (error: unknown) => string | undefined;
  /** Called when the dialog is closed after it was done. */
  readonly onDone: () => void;
}

/** Advice on sending again, after a failure that another attempt may mend. */
function lostText(error: unknown): string {
  if (mayHaveHappened(error))
    return " It may have been done all the same: sent again from here, it is done once.";
  return isTemporary(error) ? " Send it again in a moment." : "";
}

/** Opens a dialog with a form that validates as it is written. */
// oxlint-disable-next-line max-lines-per-function -- the parts of one dialog share what was tried and done
export function openForm(options: FormDialogOptions): void {
  const titleId = newId("title");
  const outcome = el("div", { class: "outcome" });
  let wasTried = false;
  let isDone = false;
  const form = createForm({
    document: options.document,
    schema: options.schema,
    ...(options.initial && { initial: options.initial }),
    ...(options.fixed && { fixed: options.fixed }),
    suggest: options.suggest,
    labelOf: humanLabel,
    onInput: () => {
      if (wasTried) showProblems(form, outcome, options.validate(form.read()));
    },
  });
  const word = el("input", { id: newId("confirm"), type: "text", autocomplete: "off", spellcheck: "false" });
  const confirmation =
    options.confirm === undefined
      ? undefined
      : el(
          "div",
          { class: "field" },
          el("label", { for: word.id }, `Type ${options.confirm} to confirm`),
          word,
        );
  const submit = el(
    "button",
    { type: "submit", class: options.confirm === undefined ? "primary" : "danger" },
    options.action,
  );
  const close = el("button", { type: "button", onclick: () => dialog.close() }, "Cancel");
  const body = el("div", {}, form.element, confirmation);
  const frame = el(
    "form",
    { novalidate: true },
    el("h2", { id: titleId }, options.title),
    options.text === undefined ? undefined : el("div", { class: "hint" }, prose(options.text)),
    body,
    outcome,
    actions(submit, close),
  );
  const dialog = el("dialog", { "aria-labelledby": titleId }, frame);

  function focusFirstInvalid(): void {
    frame.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus();
  }

  async function send(): Promise<void> {
    wasTried = true;
    const payload = form.read();
    const errors = options.validate(payload);
    showProblems(form, outcome, errors);
    if (errors.length > 0) {
      focusFirstInvalid();
      return;
    }
    if (options.confirm !== undefined && word.value !== options.confirm) {
      show(outcome, notice("error", `Type ${options.confirm} first.`));
      word.focus();
      return;
    }
    submit.disabled = true;
    try {
      const answer = await options.send(payload);
      isDone = true;
      show(outcome, notice("done", answer));
      body.remove();
      submit.remove();
      show(close, "Close");
      close.focus();
    } catch (error) {
      const field = options.fieldOf(error);
      submit.disabled = false;
      submit.focus();
      if (field === undefined) show(outcome, notice("error", failureText(error), lostText(error)));
      else showProblems(form, outcome, [{ pointer: field, text: serviceText(error) }]);
      focusFirstInvalid();
    }
  }

  frame.addEventListener("submit", (event) => {
    event.preventDefault();
    void send();
  });
  // Who follows a link of the outcome goes on there.
  outcome.addEventListener("click", ({ target }) => {
    if (target instanceof Element && target.closest("a") !== null) dialog.close();
  });
  dialog.addEventListener("close", () => {
    dialog.remove();
    if (!isDone) return;
    // The button that opened it is read anew with the page, which a reader goes on with.
    options.onDone();
    document.querySelector<HTMLElement>("main")?.focus();
  });
  document.body.append(dialog);
  dialog.showModal();
}
