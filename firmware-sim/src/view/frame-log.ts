/** What passes on every line as the plain log says it: one line a frame, for people or as NDJSON. */
import { Decoder, frameJson, frameLine } from "../lab/capture/decode.ts";
import type { Passing } from "../simulator/faults/line-damage.ts";

export class FrameLog {
  readonly #decoder = new Decoder();
  readonly #since: number;
  readonly #names: ReadonlyMap<string, string>;

  /**
   * @param since the instant at which the log begins, monotonic ms
   * @param names what people call nodes, by edgeId
   */
  constructor(since: number, names: ReadonlyMap<string, string>) {
    this.#since = since;
    this.#names = names;
  }

  /** The lines of the frames that these bytes complete. @param edgeId the node on whose line they passed */
  lines(edgeId: string, { at, from, bytes }: Passing, json: boolean): string[] {
    const node = json ? edgeId : (this.#names.get(edgeId) ?? edgeId);
    const frames = this.#decoder.push({ t: at - this.#since, dir: from, node, bytes });
    return frames.map(json ? frameJson : frameLine);
  }
}
