/** Boards with a mistake on purpose, on a clock that stands still: simulated nodes behind a line on which a test has its way. */
import { seededRandom, VirtualClock } from "@porchlight/shared/kernel";
import { type Body, type ByteLink, decodeBody, FrameReader } from "@porchlight/shared/wire";
import { memoryLinks } from "../../simulator/links/memory-link.ts";
import { SimulatedNode } from "../../simulator/node/simulated-node.ts";
import { DEFINITION } from "../../simulator/node/test-node.fixture.ts";
import { FuzzedBoard } from "./board.ts";
import { type FuzzOptions, fuzz, Inputs } from "./fuzz.ts";

/** What becomes of a board at a frame. `dead`: it neither reads nor writes until it is reset; `mute`: for ten seconds. */
export type Ill = "dead" | "mute" | "reboots" | "closes" | "leaves" | undefined;
/** @param seen what the board remembers of earlier frames, until it boots */
export type Mistake = (received: Body, seen: Set<string>) => Ill;

const MUTE_MS = 10_000;

export class SickBoard {
  readonly clock = new VirtualClock();
  /** Resets so far. */
  resets = 0;
  readonly #mistake: Mistake;
  readonly #node: SimulatedNode;
  #seen = new Set<string>();
  #deafUntil = 0;
  #isHere = true;
  #far: ByteLink | undefined;

  constructor(mistake: Mistake) {
    this.#mistake = mistake;
    this.#node = SimulatedNode.start({ clock: this.clock, random: seededRandom(7), definition: DEFINITION });
  }

  /** Another line to it. */
  readonly open = async (): Promise<ByteLink> => {
    if (!this.#isHere) throw new Error("no such port");
    const [inner, node] = memoryLinks();
    const [outer, far] = memoryLinks();
    this.#node.attach(inner);
    this.#far = far;
    const reader = new FrameReader(4095);
    far.listen(
      (bytes) => {
        for (const event of reader.push(bytes)) if (event.kind === "frame" && this.#hears) this.#takes(event.body);
        if (this.#hears) void node.write(bytes).catch(() => undefined);
      },
      () => node.close(),
    );
    node.listen(
      (bytes) => {
        if (this.#hears) void far.write(bytes).catch(() => undefined);
      },
      () => undefined,
    );
    return outer;
  };

  readonly reset = async (): Promise<void> => {
    this.resets += 1;
    this.#deafUntil = 0;
    this.#isHere = true;
    this.#boot();
  };

  /** Fuzzes it. */
  fuzz(seed: number, options: Partial<FuzzOptions> = {}, canReset = true) {
    const { clock, open } = this;
    const peer = new FuzzedBoard({ clock, open, reset: canReset ? this.reset : undefined });
    const inputs = () => new Inputs(seededRandom(seed), "hub", peer.words);
    const asked = { clock, peer, inputs, frames: 4000, minimise: { ms: 3_600_000, tries: 2000 } };
    const result = fuzz({ ...asked, ...options }).finally(() => peer.close());
    return { peer, result: this.clock.until(result, 36_000_000) };
  }

  get #hears(): boolean {
    return this.clock.monotonic() >= this.#deafUntil;
  }

  #takes(body: Uint8Array): void {
    switch (this.#mistake(decodeBody(body), this.#seen)) {
      case "dead":
        this.#deafUntil = Number.POSITIVE_INFINITY;
        break;
      case "mute":
        this.#deafUntil = this.clock.monotonic() + MUTE_MS;
        break;
      case "reboots":
        this.#boot();
        break;
      case "closes":
        this.#far?.close();
        break;
      case "leaves":
        this.#isHere = false;
        this.#far?.close();
        break;
    }
  }

  #boot(): void {
    this.#seen = new Set();
    this.#node.reboot();
  }
}
