/** A processor profile told by parts: whose code was running, in percent of the time in which anything was. Pure, so that one profile can be told in other words. */

interface ProfileNode {
  readonly id: number;
  readonly callFrame: { readonly functionName: string; readonly url: string };
  readonly children?: readonly number[];
}

/** As the inspector of V8 gives it. */
export interface CpuProfile {
  readonly nodes: readonly ProfileNode[];
  /** Of nodes, one a sample. */
  readonly samples: readonly number[];
  /** Since the sample before, µs. */
  readonly timeDeltas: readonly number[];
}

export interface Shares {
  /** How long the main thread did anything or waited for the disk, ms. */
  readonly busyMs: number;
  /** Of that, by part, the largest first; together 1. */
  readonly parts: ReadonlyMap<string, number>;
}

/** Packages of one family are one part. */
const FAMILIES: readonly [RegExp, string][] = [
  [/^(@?fastify|find-my-way|avvio|fast-json-stringify|secure-json-parse|reusify|toad-cache)/, "fastify"],
  [/^(pg|pg-.*|postgres-.*)$/, "pg"],
  [/^(pino|pino-.*|sonic-boom|thread-stream|quick-format-unescaped)$/, "pino"],
  [/^@nats-io/, "NATS client"],
];
const OF_V8: Readonly<Record<string, string>> = {
  "(garbage collector)": "garbage collection",
  "(program)": "V8 and libuv themselves",
};
const OF_NODE: readonly [RegExp, string][] = [
  [/^node:(_http|internal\/http)/, "Node.js: HTTP"],
  [/^node:(net|stream|events|internal\/stream)/, "Node.js: sockets, streams, events"],
  [
    /^node:(timers|internal\/(timers|process\/task_queues|async_hooks|abort_controller|event_target))/,
    "Node.js: timers, ticks",
  ],
];
const WRITES = /^(write|shutdown)/;
const IDLE = "(idle)";

/** Where the time went; the innermost function of each sample counts, and what is native counts for who called it. */
export function sharesOf({ nodes, samples, timeDeltas }: CpuProfile): Shares {
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const parts = new Map<number, string>();
  const name = (node: ProfileNode, caller: ProfileNode | undefined, callersPart: string) => {
    const part = partOf(node, caller, callersPart);
    parts.set(node.id, part);
    for (const id of node.children ?? []) {
      const child = byId.get(id);
      if (child) name(child, node, part);
    }
  };
  const [root] = nodes;
  if (root) name(root, undefined, OTHER);
  const times = new Map<string, number>();
  let busy = 0;
  for (const [at, id] of samples.entries()) {
    const us = timeDeltas[at] ?? 0;
    const part = parts.get(id) ?? OTHER;
    if (part === IDLE) continue;
    busy += us;
    times.set(part, (times.get(part) ?? 0) + us);
  }
  const sorted = [...times].sort(([, one], [, other]) => other - one);
  return { busyMs: busy / 1000, parts: new Map(sorted.map(([part, us]) => [part, us / busy])) };
}

const OTHER = "other";

function partOf(
  { callFrame: { functionName, url } }: ProfileNode,
  caller: ProfileNode | undefined,
  callersPart: string,
) {
  if (functionName === IDLE) return IDLE;
  if (url === "") return OF_V8[functionName] ?? ofNative(functionName, caller, callersPart);
  if (url.startsWith("node:")) return OF_NODE.find(([modules]) => modules.test(url))?.[1] ?? "Node.js: other";
  const packaged = /\/node_modules\/((?:@[^/]+\/)?[^/]+)\/(?!.*\/node_modules\/)/.exec(url)?.[1];
  if (packaged !== undefined) return FAMILIES.find(([names]) => names.test(packaged))?.[1] ?? packaged;
  const own = /\/(cloud|agent|shared|test)\/(?:src\/)?([^/]+)\//.exec(url);
  return own ? `${own[1]}/${own[2]}` : OTHER;
}

/** SQLite's functions have no names: who calls them says what they do. */
function ofNative(name: string, caller: ProfileNode | undefined, callersPart: string): string {
  if (WRITES.test(name)) return "sockets: writing";
  if (name !== "") return callersPart;
  const { functionName = "" } = caller?.callFrame ?? {};
  if (functionName === "commit" || functionName === "sqliteTransaction")
    return "SQLite: commit, with its wait for the disk";
  return /^(cloud\/store|agent\/state|better-sqlite3)$/.test(callersPart) ? "SQLite: statements" : callersPart;
}
