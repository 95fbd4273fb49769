/** `--capture FILE` of the commands that run nodes: what passes on their lines goes into the file. */
import type { Clock } from "@porchlight/shared/kernel";
import { CaptureFile } from "../lab/capture/capture-file.ts";
import type { SimulatorDeps } from "../simulator/simulator.ts";

export interface Capturing extends AsyncDisposable {
  /** For the simulator; undefined when nothing is captured. */
  readonly watch: SimulatorDeps["watch"];
}

/** @param path undefined: nothing is captured @param of what it is of, in words @throws Error when the file cannot be written */
export function capturing(path: string | undefined, of: string, clock: Clock): Capturing {
  const file = path === undefined ? undefined : CaptureFile.open(path, of, clock);
  return {
    watch: file && ((node, { from, bytes }) => file.add(from, bytes, node.edgeId)),
    [Symbol.asyncDispose]: async () => file?.[Symbol.dispose](),
  };
}
