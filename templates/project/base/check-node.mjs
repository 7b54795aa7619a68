// Runs before `npm start` and `npm test`, under any Node: older ones cannot run what is here.
const [major, minor] = process.versions.node.split(".").map(Number);
const [wantedMajor, wantedMinor] = "PROJECT_NODE".split(".").map(Number);
if (major < wantedMajor || (major === wantedMajor && minor < wantedMinor)) {
  console.error(
    `This is Node ${process.versions.node}; the project needs PROJECT_NODE or later, which runs TypeScript as it is.\n` +
      "Install it from https://nodejs.org, or into this project alone: npm install --save-dev node@24",
  );
  process.exit(1);
}
