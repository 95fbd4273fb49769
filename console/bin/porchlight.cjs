#!/usr/bin/env node
// The program `porchlight` of a checkout. It must be understood by every Node.js there is, so that an old one is told what it lacks in one line; what it
// loads needs the Node.js that `engines` names.
"use strict";

const oldest = Number(/\d+/.exec(require("../package.json").engines.node)[0]);
const major = Number(process.versions.node.split(".")[0]);
if (major < oldest) {
  process.stderr.write(
    "porchlight needs Node.js " + oldest + " or later; this is Node.js " + process.versions.node + ".\n",
  );
  process.exitCode = 1;
} else {
  require("./start.cjs");
}
