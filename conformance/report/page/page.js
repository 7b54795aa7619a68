const byId = (id) => document.getElementById(id);
const report = JSON.parse(byId("report").textContent);
const { outcomes } = report;
const statuses = ["failed", "broken", "skipped", "passed"];
const pageSize = 200;
let limit = pageSize;

const element = (tag, attributes = {}, ...children) => {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(attributes)) {
    if (name === "onclick") made.addEventListener("click", value);
    else if (value !== undefined) made.setAttribute(name, value);
  }
  made.append(...children.filter((child) => child !== undefined));
  return made;
};
const origins = (list) => list.map((each) => (/^\d/.test(each) ? `section ${each}` : each)).join(", ");
const unique = (list) => [...new Set(list)];
const isWhole = ({ id }) => id.endsWith("/present") || id.endsWith("/contact");
const worstOf = (own) => statuses.find((status) => own.some((each) => each.status === status));

const form = document.querySelector("form.filter");
const text = byId("text");
const boxes = [...form.querySelectorAll("[name=status]")];
const selects = { level: byId("level"), operation: byId("operation"), kind: byId("kind") };
const memberOf = { level: "level", operation: "method", kind: "kind" };
const inOrder = { kind: report.kinds };
for (const [name, select] of Object.entries(selects)) {
  const found = unique(outcomes.map((each) => each[memberOf[name]]));
  const order = inOrder[name] ?? found;
  for (const value of order.filter((each) => found.includes(each)))
    select.append(element("option", { value }, value));
}
const requiredBy = new Map();
for (const { id, cases } of report.requirements ?? [])
  for (const each of cases) requiredBy.set(each, [...(requiredBy.get(each) ?? []), id]);
const causeOf = new Map();
for (const [index, { ids }] of report.causes.entries())
  for (const id of ids) causeOf.set(id, `cause-${index + 1};`);
const words = new Map(
  outcomes.map((each) => {
    const compared = each.findings.flatMap(({ expected, found }) => [expected, found]);
    const all = [
      each.id,
      each.title,
      each.level,
      each.kind,
      each.rule,
      each.reason,
      origins(each.origin),
      ...compared,
      ...(requiredBy.get(each.id) ?? []),
      causeOf.get(each.id) ?? "",
    ];
    return [each, all.join(" ").toLowerCase()];
  }),
);

/** The selection is kept in the address, so that a view can be shared. */
const isBad = outcomes.some(({ status }) => status === "failed" || status === "broken");
const usual = isBad ? ["failed", "broken"] : statuses;
const readAddress = () => {
  const chosen = new URLSearchParams(location.hash.slice(1));
  text.value = chosen.get("text") ?? "";
  const shown = chosen.has("status") ? chosen.get("status").split(" ") : usual;
  for (const box of boxes) box.checked = shown.includes(box.value);
  for (const [name, select] of Object.entries(selects)) select.value = chosen.get(name) ?? "";
};
const writeAddress = () => {
  const chosen = new URLSearchParams();
  if (text.value !== "") chosen.set("text", text.value);
  const shown = boxes.filter((box) => box.checked).map((box) => box.value);
  if (shown.join() !== usual.join()) chosen.set("status", shown.join(" "));
  for (const [name, select] of Object.entries(selects))
    if (select.value !== "") chosen.set(name, select.value);
  const hash = chosen.toString();
  history.replaceState(null, "", hash === "" ? location.pathname + location.search : `#${hash}`);
};

const selected = () => {
  const shown = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
  const looked = text.value.toLowerCase().split(/\s+/).filter(Boolean);
  return outcomes.filter(
    (each) =>
      shown.has(each.status) &&
      Object.entries(selects).every(
        ([name, select]) => select.value === "" || each[memberOf[name]] === select.value,
      ) &&
      looked.every((word) => words.get(each).includes(word)),
  );
};

const copied = async (content) => {
  try {
    await navigator.clipboard.writeText(content);
  } catch {
    const area = element("textarea", { "aria-hidden": "true" }, content);
    document.body.append(area);
    area.select();
    document.execCommand("copy");
    area.remove();
  }
};
const block = (title, content, canCopy) => {
  const button = element(
    "button",
    { type: "button", class: "copy quiet", "aria-label": `Copy: ${title}` },
    "Copy",
  );
  button.addEventListener("click", async () => {
    await copied(content);
    button.textContent = "Copied";
    setTimeout(() => {
      button.textContent = "Copy";
    }, 1500);
  });
  const box = element("div", { class: "block" }, element("h3", {}, title));
  if (canCopy) box.append(button);
  box.append(element("pre", { tabindex: "0" }, content));
  return box;
};
const pretty = (answer) => {
  const [head, ...rest] = answer.split("\n");
  try {
    return `${head}\n${JSON.stringify(JSON.parse(rest.join("\n")), null, 2)}`;
  } catch {
    return answer;
  }
};

const bodyOf = (each) => {
  const body = element("div", { class: "body" });
  const facts = [
    `level ${each.level}`,
    each.kind,
    each.rule && `rule ${each.rule}`,
    `${each.elapsedMs.toFixed(1)} ms`,
  ];
  body.append(element("p", {}, each.title, each.reason ? `: ${each.reason}` : ""));
  for (const finding of each.findings) {
    const more = (finding.origin ?? []).filter((origin) => !each.origin.includes(origin));
    body.append(
      element(
        "dl",
        { class: "finding" },
        element("dt", {}, "Expected"),
        element("dd", {}, finding.expected, more.length > 0 ? ` (${origins(more)})` : ""),
        element("dt", {}, "Found"),
        element("dd", {}, finding.found),
      ),
    );
  }
  for (const { curl, answer } of each.exchanges) {
    if (curl !== "") body.append(block("Request", curl, true));
    if (answer !== "") body.append(block("Answer", pretty(answer), false));
  }
  if (each.replay)
    body.append(block("To see it again", `--seed ${report.seed} --replay ${each.replay}`, true));
  body.append(element("p", { class: "from" }, facts.filter(Boolean).join(" · ")));
  return body;
};
const caseOf = (each) => {
  const rest = each.id.startsWith(`${each.method}/`) ? each.id.slice(each.method.length) : undefined;
  const name = element("span", { class: "name" });
  if (rest === undefined) name.append(element("i", {}, `${each.method} `), each.id);
  else name.append(element("i", {}, each.method), rest);
  const box = element(
    "details",
    { class: "case" },
    element(
      "summary",
      {},
      element("span", { class: `tag ${each.status}` }, each.status),
      name,
      element("span", { class: "from" }, origins(each.origin)),
    ),
  );
  box.addEventListener("toggle", () => {
    if (box.open && box.children.length === 1) box.append(bodyOf(each));
  });
  return box;
};

const showCases = () => {
  const found = selected();
  const boxesOf = found.slice(0, limit).map(caseOf);
  byId("count").textContent = `${found.length} of ${outcomes.length}`;
  byId("cases").replaceChildren(
    ...(boxesOf.length > 0 ? boxesOf : [element("p", { class: "none" }, "No case is like that.")]),
  );
  byId("more").hidden = found.length <= limit;
  if (found.length <= 3) for (const box of boxesOf) box.open = true;
};
const choose = (chosen) => {
  for (const box of boxes) box.checked = chosen.status === undefined || chosen.status.includes(box.value);
  for (const [name, select] of Object.entries(selects)) select.value = chosen[name] ?? "";
  text.value = chosen.text ?? "";
  changed();
  byId("cases-section").scrollIntoView();
  byId("cases-title").focus({ preventScroll: true });
};
const changed = () => {
  limit = pageSize;
  writeAddress();
  showCases();
};

const showMatrix = () => {
  const kinds = report.kinds.filter((kind) => outcomes.some((each) => each.kind === kind));
  const methods = unique(
    [...outcomes.filter((each) => !isWhole(each)), ...outcomes].map(({ method }) => method),
  );
  const head = element("tr", {}, element("td"));
  for (const kind of kinds) head.append(element("th", { scope: "col" }, element("span", {}, kind)));
  head.append(element("th", { scope: "col" }, element("span", {}, "all")));
  const cellOf = (own, operation, kind) => {
    if (own.length === 0) return element("td");
    const worst = worstOf(own);
    const count = own.filter(({ status }) => status === worst).length;
    const content =
      worst === "passed"
        ? String(count)
        : worst === "failed"
          ? `${count} ✕`
          : worst === "skipped"
            ? `${count} –`
            : `${count} !`;
    const label = `${operation}, ${kind ?? "all"}: ${statuses
      .map((status) => [own.filter((each) => each.status === status).length, status])
      .filter(([number]) => number > 0)
      .map(([number, status]) => `${number} ${status}`)
      .join(", ")}`;
    const onclick = () => choose({ operation, kind, status: worst === "passed" ? undefined : [worst] });
    return element(
      "td",
      {},
      element(
        "button",
        { type: "button", class: worst, title: label, "aria-label": label, onclick },
        content,
      ),
    );
  };
  const rows = methods.map((operation) => {
    const own = outcomes.filter(({ method }) => method === operation);
    const row = element(
      "tr",
      {},
      element(
        "th",
        { scope: "row" },
        element("button", { type: "button", onclick: () => choose({ operation }) }, operation),
      ),
    );
    for (const kind of kinds)
      row.append(
        cellOf(
          own.filter((each) => each.kind === kind),
          operation,
          kind,
        ),
      );
    row.append(cellOf(own, operation));
    return row;
  });
  const foot = element("tr", {}, element("th", { scope: "row" }, "all"));
  for (const kind of kinds)
    foot.append(element("td", {}, String(outcomes.filter((each) => each.kind === kind).length)));
  foot.append(element("td", {}, String(outcomes.length)));
  byId("matrix").replaceChildren(
    element("caption", { class: "unseen" }, "Verdicts by operation and kind of rule"),
    element("thead", {}, head),
    element("tbody", {}, ...rows),
    element("tfoot", {}, foot),
  );
};

const ran = outcomes
  .filter(({ status }) => status !== "skipped")
  .toSorted((a, b) => a.startedMs - b.startedMs);
const bars = [];
const showTimeline = () => {
  const canvas = byId("timeline");
  const { clientWidth: width, clientHeight: height } = canvas;
  canvas.width = width * devicePixelRatio;
  canvas.height = height * devicePixelRatio;
  const pen = canvas.getContext("2d");
  pen.scale(devicePixelRatio, devicePixelRatio);
  const styles = getComputedStyle(document.documentElement);
  const color = (name) => {
    pen.fillStyle = "#888";
    const probe = element("i", { style: `color: var(${name})` });
    document.body.append(probe);
    pen.fillStyle = getComputedStyle(probe).color;
    probe.remove();
  };
  const axis = 20;
  const scale = (width - 2) / Math.max(1, report.elapsedMs);
  const ends = [];
  const placed = ran.map((each) => {
    let row = ends.findIndex((end) => end <= each.startedMs + 0.05);
    if (row < 0) row = ends.push(0) - 1;
    ends[row] = each.startedMs + each.elapsedMs;
    return { each, row };
  });
  const thick = (height - axis) / Math.max(1, ends.length);
  bars.length = 0;
  for (const status of ["passed", "broken", "failed"]) {
    color(`--${status}`);
    pen.globalAlpha = status === "passed" ? 0.75 : 1;
    for (const { each, row } of placed) {
      if (each.status !== status) continue;
      const bar = {
        each,
        x: 1 + each.startedMs * scale,
        y: row * thick,
        wide: Math.max(status === "passed" ? 0.8 : 2, each.elapsedMs * scale - 0.4),
        high: Math.max(1, thick - 1.5),
      };
      bars.push(bar);
      pen.fillRect(bar.x, bar.y, bar.wide, bar.high);
    }
  }
  pen.globalAlpha = 1;
  color("--dim");
  pen.font = `12px ${styles.fontFamily}`;
  const steps = [0.1, 0.2, 0.5, 1, 2, 5, 10, 20, 60, 120, 300];
  const step = steps.find((each) => report.elapsedMs / 1000 / each <= 12) ?? 600;
  for (let second = 0; second <= report.elapsedMs / 1000; second += step) {
    const label = `${Number(second.toFixed(1))} s`;
    const x = 1 + second * 1000 * scale;
    pen.fillRect(x, height - axis, 1, 5);
    pen.fillText(label, Math.min(x + 4, width - pen.measureText(label).width), height - 4);
  }
};
const barAt = (event) => {
  const { offsetX: x, offsetY: y } = event;
  const hits = bars.filter(
    (bar) => x >= bar.x - 2 && x <= bar.x + bar.wide + 2 && y >= bar.y && y <= bar.y + bar.high + 1,
  );
  return hits.toSorted((a, b) => Math.abs(a.x + a.wide / 2 - x) - Math.abs(b.x + b.wide / 2 - x))[0];
};
const watchTimeline = () => {
  const canvas = byId("timeline");
  const tip = byId("tip");
  canvas.addEventListener("mousemove", (event) => {
    const bar = barAt(event);
    tip.hidden = bar === undefined;
    canvas.style.cursor = bar === undefined ? "" : "pointer";
    if (bar === undefined) return;
    tip.textContent = `${bar.each.id} · ${bar.each.status} · ${bar.each.elapsedMs.toFixed(0)} ms`;
    tip.style.left = `${Math.min(Math.max(event.offsetX, 120), canvas.clientWidth - 120)}px`;
    tip.style.top = `${event.offsetY}px`;
  });
  canvas.addEventListener("mouseleave", () => {
    tip.hidden = true;
  });
  canvas.addEventListener("click", (event) => {
    const bar = barAt(event);
    if (bar !== undefined) choose({ text: bar.each.id });
  });
  const slow = ran.toSorted((a, b) => b.elapsedMs - a.elapsedMs).slice(0, 6);
  byId("slowest").replaceChildren(
    ...slow.map((each) =>
      element(
        "li",
        {},
        element("button", { type: "button", onclick: () => choose({ text: each.id }) }, each.id),
        element("span", {}, ` ${each.elapsedMs.toFixed(0)} ms`),
      ),
    ),
  );
};

const causesShown = 6;
const showCauses = () => {
  const many = report.causes.filter(({ ids }) => ids.length > 1).slice(0, causesShown);
  if (many.length === 0) return;
  byId("causes").hidden = false;
  byId("causes").replaceChildren(
    ...many.map(({ expected, ids }) => {
      const onclick = () => choose({ text: causeOf.get(ids[0]), status: ["failed"] });
      return element("li", {}, element("button", { type: "button", onclick }, `${ids.length} × ${expected}`));
    }),
  );
};

const requirementWords = {
  holds: "hold",
  broken: "broken",
  untried: "not tried",
  untested: "cannot be tested",
};
const requirementTag = { holds: "passed", broken: "failed", untried: "skipped", untested: "skipped" };
const showRequirements = () => {
  const { requirements = [] } = report;
  if (requirements.length === 0) return;
  byId("requirements").hidden = false;
  const verdicts = Object.keys(requirementTag).map((verdict) => [
    requirements.filter((each) => each.verdict === verdict).length,
    verdict,
  ]);
  byId("requirement-counts").textContent = verdicts
    .filter(([count]) => count > 0)
    .map(([count, verdict]) => `${count} ${requirementWords[verdict]}`)
    .join(", ");
  const rows = requirements
    .toSorted((a, b) => Number(b.verdict === "broken") - Number(a.verdict === "broken"))
    .map((each) =>
      element(
        "tr",
        {},
        element("td", {}, element("span", { class: `tag ${requirementTag[each.verdict]}` }, each.verdict)),
        element("td", { class: "from" }, each.section ?? each.decisions.join(", ")),
        element("td", {}, each.sentence, each.reason === undefined ? "" : ` (${each.reason})`),
        element(
          "td",
          {},
          each.cases.length === 0
            ? ""
            : element(
                "button",
                { type: "button", class: "quiet", onclick: () => choose({ text: each.id }) },
                each.failed.length === 0
                  ? String(each.cases.length)
                  : `${each.failed.length} of ${each.cases.length} fail`,
              ),
        ),
      ),
    );
  const head = ["verdict", "from", "sentence", "cases"].map((name) => element("th", { scope: "col" }, name));
  byId("requirement-table").replaceChildren(
    element("thead", {}, element("tr", {}, ...head)),
    element("tbody", {}, ...rows),
  );
};

byId("theme").addEventListener("click", () => {
  const isDark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (isDark ? "dark" : "light");
  document.documentElement.dataset.theme = now === "dark" ? "light" : "dark";
  showTimeline();
});
matchMedia("(prefers-color-scheme: dark)").addEventListener("change", showTimeline);
addEventListener("resize", showTimeline);
addEventListener("hashchange", () => {
  readAddress();
  showCases();
});
text.addEventListener("input", changed);
for (const control of [...boxes, ...Object.values(selects)]) control.addEventListener("change", changed);
form.addEventListener("submit", (event) => event.preventDefault());
form.addEventListener("reset", () =>
  setTimeout(() => {
    for (const box of boxes) box.checked = usual.includes(box.value);
    changed();
  }),
);
byId("more").addEventListener("click", () => {
  limit += pageSize * 5;
  showCases();
});
byId("preparation").append(block("In the shell, once", report.preparation, true));
readAddress();
showMatrix();
watchTimeline();
showTimeline();
showRequirements();
showCauses();
showCases();
