/** The console of a checkout on each Node.js that people have: it runs, or prints in one line what it needs. */
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { type NodeVersion, nodeFolder, SUPPORTED, UNSUPPORTED } from "../parts/node-versions.ts";
import { ROOT } from "../parts/program.ts";

const { version, bin, engines } = JSON.parse(readFileSync(join(ROOT, "console/package.json"), "utf8"));
const OLDEST = Number(/\d+/.exec(engines.node)?.[0]);
const isOld = ({ node }: NodeVersion) => Number.parseInt(node, 10) < OLDEST;
const ALL = [...UNSUPPORTED, ...SUPPORTED];

function runOn(node: NodeVersion) {
  const program = join(ROOT, "console", bin.porchlight);
  const { status, stdout, stderr } = spawnSync(join(nodeFolder(node), "node"), [program, "--version"], {
    encoding: "utf8",
  });
  return { status, stdout, stderr };
}

describe.each(ALL.filter(isOld))("porchlight on Node.js $node", (old) => {
  it("prints in one line what it needs", () => {
    expect(runOn(old)).toEqual({
      ...{ status: 1, stdout: "" },
      stderr: `porchlight needs Node.js ${OLDEST} or later; this is Node.js ${old.node}.\n`,
    });
  });
});

describe.each(ALL.filter((each) => !isOld(each)))("porchlight on Node.js $node", (supported) => {
  it("runs, and prints nothing else", () => {
    expect(runOn(supported)).toEqual({ status: 0, stdout: `${version}\n`, stderr: "" });
  });
});
