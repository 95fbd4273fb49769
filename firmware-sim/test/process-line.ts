/** A program whose standard input and output are its line to a hub: the examples for boards, on a desk. */
import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { readFileSync } from "node:fs";
import { systemClock, systemRandom } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import { proveNode, type RuleReport, ruleTexts } from "../src/index.ts";

const texts = ruleTexts(readFileSync(new URL("../../docs/contract/device-protocol.md", import.meta.url), "utf8"));

/** Proves a program by every rule that shows in a few seconds. */
export function proveProgram(path: string, where: string): Promise<RuleReport> {
  const link = lineTo(spawn(path, { stdio: "pipe" }));
  return proveNode({ clock: systemClock, random: systemRandom, link, jitter: 250, where, texts, quick: true });
}

function lineTo({ stdin, stdout, stderr }: ChildProcessWithoutNullStreams): ByteLink {
  let stated = "";
  stderr.on("data", (text) => {
    stated += text;
  });
  stdin.on("error", () => undefined);
  return {
    listen(onBytes, onClosed) {
      stdout.on("data", onBytes);
      stdout.on("close", () => onClosed(`the program has ended: ${stated}`));
    },
    write: (bytes) =>
      new Promise((resolve, reject) => stdin.write(bytes, (error) => (error ? reject(error) : resolve()))),
    close: () => void stdin.end(),
  };
}
