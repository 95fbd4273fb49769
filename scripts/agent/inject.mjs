// Puts data into a program: `inject.mjs PROGRAM NAME DATA FUSE`. A process of its own, for the library warns of every note in
// Node.js's own file, and its output is of interest only when it fails.
import { readFileSync } from "node:fs";
import { inject } from "postject";

const [program, name, data, sentinelFuse] = process.argv.slice(2);
await inject(program, name, readFileSync(data), { sentinelFuse });
