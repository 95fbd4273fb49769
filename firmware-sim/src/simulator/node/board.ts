/** The hardware of a node (line, power, crystal and cable) and its faults. */
import { type Clock, type Log, type Random, randomInteger, seededRandom, type Timer } from "@porchlight/shared/kernel";
import type { ByteLink } from "@porchlight/shared/wire";
import type { NodeDefinition } from "../devices/definition.ts";
import { NO_NODE_FAULTS, type NodeFaultName, type NodeFaults, withFault } from "../fault-words.ts";
import { damagedLink, type Passing } from "../line-damage.ts";
import { PacedClock } from "../paced-clock.ts";
import { SimulatedNode, type TraceEvent } from "./simulated-node.ts";

interface BoardDeps {
  readonly clock: Clock;
  /** The clock of devices' lives. */
  readonly life: Clock;
  readonly seed: number;
  readonly definition: NodeDefinition;
  readonly log?: Log | undefined;
  readonly trace?: ((node: SimulatedNode, event: TraceEvent) => void) | undefined;
  readonly watch?: ((node: SimulatedNode, passing: Passing) => void) | undefined;
  /** Pulls the cable, and plugs it in again. */
  readonly cable: { pull(): void; put(): void };
}

/** Duration of a power failure and of a pulled cable, ms: the minimum, and the maximum of the random addition. */
const DARK_MS = { least: 200, more: 1500 };
const PULLED_MS = { least: 1000, more: 4000 };

export class Board implements AsyncDisposable {
  readonly node: SimulatedNode;
  readonly #deps: BoardDeps;
  readonly #crystal: PacedClock;
  readonly #random: Random;
  readonly #timers = new Map<string, Timer>();
  readonly #lines = new Set<ByteLink>();
  #faults: NodeFaults;
  #dark = false;
  /** Whether the garbage of the last boot still has to be put on a line. */
  #justBooted = true;

  constructor(deps: BoardDeps) {
    const { clock, life, seed, definition, log, trace } = deps;
    this.#deps = deps;
    this.#faults = definition.faults ?? NO_NODE_FAULTS;
    this.#crystal = new PacedClock(clock, this.#faults.drift);
    this.#random = randomOf(seed, `board ${definition.edgeId}`);
    this.node = SimulatedNode.start({
      clock: this.#crystal,
      life,
      random: randomOf(seed, `node ${definition.edgeId}`),
      definition,
      log,
      trace: trace && ((event) => trace(this.node, event)),
    });
    this.#schedule("brownout");
    this.#schedule("unplug");
  }

  get faults(): NodeFaults {
    return this.#faults;
  }

  /** Whether it has no power at the moment. */
  get isDark(): boolean {
    return this.#dark;
  }

  /** Plugs a line in. */
  attach(link: ByteLink): void {
    const { clock, seed, definition, watch } = this.#deps;
    const random = (from: string) => randomOf(seed, `line ${from} ${definition.edgeId} ${this.#random.fraction()}`);
    this.#lines.add(link);
    this.#garbage();
    this.node.attach(
      damagedLink(link, {
        clock,
        random: { hub: random("hub"), node: random("node") },
        faults: () => this.#faults,
        isDark: () => this.#dark,
        watch: watch && ((passing) => watch(this.node, passing)),
        onClosed: () => this.#lines.delete(link),
      }),
    );
  }

  /** Unplugs every line. */
  detach(): void {
    this.node.detach();
  }

  /** Sets a fault; 0 removes it. */
  fail(name: NodeFaultName, amount: number): void {
    this.#faults = withFault(this.#faults, name, amount);
    if (name === "drift") this.#crystal.speed = this.#faults.drift ?? 1;
    if (name === "brownout" || name === "unplug") this.#schedule(name);
  }

  /** Removes every fault of the board and the line. */
  heal(): void {
    this.#faults = NO_NODE_FAULTS;
    this.#crystal.speed = 1;
    for (const name of ["brownout", "unplug"] as const) this.#schedule(name);
  }

  reboot(): void {
    this.#justBooted = true;
    this.#garbage();
    this.node.reboot();
  }

  /** Cuts the power for `ms`: nothing passes on the line, and then the board boots. Returns the duration. */
  brownOut(ms = DARK_MS.least + randomInteger(this.#random, DARK_MS.more)): number {
    this.#dark = true;
    this.#after("power", ms, () => {
      this.#dark = false;
      this.reboot();
    });
    return ms;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const timer of this.#timers.values()) timer.cancel();
    await this.node[Symbol.asyncDispose]();
  }

  /** Puts bytes on every line, like the board's own pins or a bad cable. */
  spoil(bytes: Uint8Array): void {
    for (const link of this.#lines) {
      this.#deps.watch?.(this.node, { at: this.#deps.clock.monotonic(), from: "node", bytes });
      // A port that is being closed accepts nothing: lost noise is still noise.
      link.write(bytes).catch(() => undefined);
    }
  }

  #garbage(): void {
    const bytes = this.#faults.garbage ?? 0;
    if (this.#justBooted && bytes > 0) this.spoil(this.#random.bytes(bytes));
    this.#justBooted = this.#lines.size === 0;
  }

  /** Schedules the next power failure or pull of the cable, at about the fault's interval. */
  #schedule(name: "brownout" | "unplug"): void {
    this.#timers.get(name)?.cancel();
    const seconds = this.#faults[name];
    if (seconds === undefined) return;
    this.#after(name, seconds * 1000 * (0.5 + this.#random.fraction()), () => {
      if (name === "brownout") this.brownOut();
      else {
        this.#deps.cable.pull();
        this.#after("cable", PULLED_MS.least + randomInteger(this.#random, PULLED_MS.more), () =>
          this.#deps.cable.put(),
        );
      }
      this.#schedule(name);
    });
  }

  #after(name: string, ms: number, then: () => void): void {
    this.#timers.get(name)?.cancel();
    this.#timers.set(name, this.#deps.clock.timer(name, ms, then));
  }
}

/** The random source of the named part: the same for the same seed and name, for ever. */
function randomOf(seed: number, name: string): Random {
  // FNV-1a, 32 bits.
  let hash = 0x811c9dc5 ^ seed;
  for (const byte of new TextEncoder().encode(name)) hash = Math.imul(hash ^ byte, 0x01000193);
  return seededRandom(Math.imul(hash ^ (hash >>> 15), 0x2c1b3c6d));
}
