// Loads the console, which is an ES module: by a call that Node.js before 12 cannot parse, so it is a file of its own.
"use strict";

void import("../src/main.ts");
