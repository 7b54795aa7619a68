/**
 * The lint rules `tests/no-fixed-waits` and `tests/no-own-limits`: no sleep, no timeout and no time limit of a test is a number. A
 * number that suits one machine makes the test red on a slower one. Wait for the thing itself, by an event or `test/until.ts`, or
 * inject a clock.
 */
const sleeps = new Set([
  "setTimeout",
  "setInterval",
  "sleep",
  "delay",
  "waitForTimeout",
  "setDefaultTimeout",
]);
const impatient = new Set(["waitFor", "waitUntil"]);
const tests = new Set(["test", "it", "beforeAll", "beforeEach", "afterAll", "afterEach", "describe"]);

const noFixedWaits = {
  create(context) {
    return {
      ImportDeclaration(node) {
        const isRun = node.specifiers.some((each) => each.imported?.name === "conform");
        if (isRun && node.source.value.endsWith("conformance/index.ts"))
          context.report({ node, message: impatientRun });
      },
      CallExpression(node) {
        const name = calledBy(node);
        if (sleeps.has(name) && node.arguments.some((each) => isNumber(each, context)))
          context.report({ node, message: messageOf(name) });
      },
      Property(node) {
        if (node.key.type === "Identifier" && node.key.name === "timeout" && isNumber(node.value, context))
          context.report({ node, message: messageOf("timeout") });
      },
    };
  },
};

/** `vi.waitFor` gives up after a second. */
const noOwnLimits = {
  create(context) {
    return {
      CallExpression(node) {
        const name = calledBy(node);
        const isLimited = tests.has(name) && node.arguments.slice(1).some((each) => isLimit(each, context));
        const isImpatient = node.callee.object?.name === "vi" && impatient.has(name);
        if (isLimited || isImpatient) context.report({ node, message: messageOf(name) });
      },
    };
  },
};

function isLimit(node, context) {
  if (node.type !== "ObjectExpression") return isNumber(node, context);
  return node.properties.some(({ key, value }) => key?.name === "timeout" && isNumber(value, context));
}

/** Of `test.each(rows)(…)`, too. */
function calledBy({ callee }) {
  if (callee.type === "MemberExpression")
    return tests.has(callee.object.name) ? callee.object.name : callee.property.name;
  return callee.type === "CallExpression" ? calledBy(callee) : callee.name;
}

const impatientRun =
  "`conform` gives up on a slow machine: import it from test/conformance/patient.ts, which waits for each response.";

function messageOf(name) {
  return `\`${name}\` with a fixed time depends on the machine: wait for the thing itself (test/until.ts), or inject a clock.`;
}

/** Whether a value is a number as it stands, computed from numbers, or a constant that holds one. */
function isNumber(node, context) {
  if (node.type === "Literal") return typeof node.value === "number";
  if (node.type === "UnaryExpression") return isNumber(node.argument, context);
  if (node.type === "BinaryExpression") return isNumber(node.left, context) || isNumber(node.right, context);
  if (node.type !== "Identifier") return false;
  for (let scope = context.sourceCode.getScope(node); scope !== null; scope = scope.upper) {
    const [definition] = scope.set.get(node.name)?.defs ?? [];
    if (definition === undefined) continue;
    const { init } = definition.node;
    return Boolean(init) && init.type !== "Identifier" && isNumber(init, context);
  }
  return false;
}

export default {
  meta: { name: "tests" },
  rules: { "no-fixed-waits": noFixedWaits, "no-own-limits": noOwnLimits },
};
