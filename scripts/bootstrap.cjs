// The first command of every npm script, and the only code of the project that runs on the machine's own Node.js: it installs the
// npm packages, the project's Node.js among them, on which everything else runs. This file must be understood by every Node.js there
// is, so that an old one reports what it lacks; what lies beside it, by the oldest that `engines` names.
"use strict";

const { engines } = require("../package.json");

const oldest = Number(/\d+/.exec(engines.node)[0]);
const [major] = process.versions.node.split(".");
if (Number(major) < oldest) {
  process.stderr.write(
    `Porchlight needs Node.js ${oldest} or later to install itself; this is Node.js ${process.versions.node}.\n`,
  );
  process.exitCode = 1;
} else {
  const { install } = require("./bootstrap/install.cjs");
  install().then((status) => {
    process.exitCode = status;
  });
}
