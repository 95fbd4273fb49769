/** Formats the traffic of every line as the plain log: one line for each frame, for people or as NDJSON. */
import { Decoder, frameJson, frameLine } from "../lab/capture/decode.ts";
import type { Passing } from "../simulator/line-damage.ts";

export class FrameLog {
  readonly #decoder = new Decoder();
  readonly #since: number;
  readonly #names: ReadonlyMap<string, string>;

  /**
   * @param since start of the log, monotonic ms
   * @param names display names of nodes, by edgeId
   */
  constructor(since: number, names: ReadonlyMap<string, string>) {
    this.#since = since;
    this.#names = names;
  }

  /** Lines for the frames that these bytes complete. @param edgeId the node on whose line they passed */
  lines(edgeId: string, { at, from, bytes }: Passing, json: boolean): string[] {
    const node = json ? edgeId : (this.#names.get(edgeId) ?? edgeId);
    const frames = this.#decoder.push({ t: at - this.#since, dir: from, node, bytes });
    return frames.map(json ? frameJson : frameLine);
  }
}
