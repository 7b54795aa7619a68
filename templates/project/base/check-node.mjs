// Runs before `npm start` and `npm test`, under any Node: older ones cannot run TypeScript.
const [major, minor] = process.versions.node.split(".").map(Number);
if (major < 22 || (major === 22 && minor < 18)) {
  console.error(
    `This is Node ${process.versions.node}; the project needs 22.18 or later, which runs TypeScript as it is.\n` +
      "Install it from https://nodejs.org, or into this project alone: npm install --save-dev node@24",
  );
  process.exit(1);
}
