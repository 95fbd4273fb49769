// `npm run firmware:size`: what porchlight.c takes on a Cortex-M0+ with the defaults: code, memory of a node, and the deepest stack of each
// function that a program calls, from the compiler's call graph. The program's own functions (pl_driver) and the compiler's
// routines come on top. `CC` names another compiler, `CFLAGS` other flags for it.
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { root } from "./tools.mjs";

/** How often each function that calls itself, also through others, can stand on the stack at once: CBOR nests 8 levels (C6). */
const DEEPEST = { skip: 9, is_good: 9, is_good_map: 8, pl_tick: 2 };

const compiler = process.env.CC ?? "arm-none-eabi-gcc";
const flags = (process.env.CFLAGS ?? (process.env.CC ? "-Os" : "-mcpu=cortex-m0plus -mthumb -Os")).split(" ");
const source = process.argv[2] ?? join(root, "firmware", "porchlight.c");
const folder = mkdtempSync(join(tmpdir(), "porchlight-size-"));
try {
  const object = join(folder, "porchlight.o");
  run(compiler, [...flags, "-std=c99", "-ffunction-sections", "-fcallgraph-info=su", "-c", source, "-o", object]);
  const size = run(compiler.replace(/g?cc$/, "size"), [object]).split("\n")[1]?.trim().split(/\s+/) ?? [];
  process.stdout.write(`code ${size[0]} bytes\n`);
  const graph = readGraph(readFileSync(join(folder, "porchlight.ci"), "utf8"));
  for (const name of [...graph.keys()].filter((each) => each.startsWith("pl_")).sort())
    process.stdout.write(`stack of ${name} ${deepest(graph, name)} bytes\n`);
  process.stdout.write(`memory of a node ${nodeSize()} bytes\n`);
} catch (failure) {
  process.stderr.write(`${failure instanceof Error ? failure.message : failure}\n`);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

function run(program, words) {
  try {
    return execFileSync(program, words, { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  } catch (failure) {
    const why = failure.code === "ENOENT" ? "it is not installed" : failure.stderr || failure.message;
    throw new Error(`${program}: ${why}`);
  }
}

/** Each function with the bytes of its own frame and the functions that it calls. */
function readGraph(text) {
  const functions = new Map();
  for (const [, title, label] of text.matchAll(/^node: \{ title: "([^"]+)" label: "([^"]+)"/gm)) {
    const bytes = /(\d+) bytes \(static\)/.exec(label);
    if (bytes) functions.set(nameOf(title), { own: Number(bytes[1]), calls: new Set() });
  }
  for (const [, from, to] of text.matchAll(/^edge: \{ sourcename: "([^"]+)" targetname: "([^"]+)"/gm))
    if (functions.has(nameOf(to))) functions.get(nameOf(from))?.calls.add(nameOf(to));
  return functions;
}

/** `firmware/porchlight.c:put` is put; a part that the compiler has cut off, as put.part.0, is a function by itself. */
function nameOf(title) {
  return title.slice(title.lastIndexOf(":") + 1);
}

/** The most bytes under a call, where no function stands on the stack more often than it may. @throws Error for one without a bound */
function deepest(graph, name, open = new Map()) {
  const { own, calls } = graph.get(name);
  const times = (open.get(name) ?? 0) + 1;
  const most = DEEPEST[name.split(".")[0]] ?? 1;
  if (times > most) {
    if (most === 1) throw new Error(`${name} calls itself, and nothing says how often`);
    return 0;
  }
  const inside = new Map(open).set(name, times);
  return own + Math.max(0, ...[...calls].map((each) => deepest(graph, each, inside)));
}

function nodeSize() {
  const text = `#include "${basename(source).replace(/\.c$/, ".h")}"\nchar size[sizeof(pl_node)];\n`;
  const object = join(folder, "node.o");
  execFileSync(compiler, [...flags, "-std=c99", "-I", join(source, ".."), "-x", "c", "-", "-c", "-o", object], {
    input: text,
  });
  return run(compiler.replace(/g?cc$/, "nm"), ["-S", object])
    .split(" ")
    .slice(1, 2)
    .map((hex) => Number.parseInt(hex, 16))[0];
}
