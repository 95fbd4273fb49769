/** One board at its address: reached again and again, offered to the hub, read and written. */
import type {
  Attempt,
  DeviceDescription,
  DriverResult,
  DriverSurroundings,
  LiveDevice,
  Outcome,
  PropertyAddress,
  Value,
} from "@porchlight/agent/driver";
import { BoardSession, type Output, outputIn } from "./board-session.ts";
import type { BoardLink, Connect } from "./tcp.ts";

export interface BoardPlace {
  /** Its address, for people. */
  readonly name: string;
  readonly connect: Connect;
}

/** What a board needs of what its driver is handed. */
export type Around = Pick<DriverSurroundings, "host" | "clock" | "random" | "kit">;

/** Between two tries to reach a board. */
const AGAIN = { firstMs: 1000, capMs: 60_000, stableMs: 60_000 };
/** How long a board may take to answer what the driver asks by itself, ms. */
const ANSWER_MS = 5000;
const MOST_OUTPUTS = 32;

export class RelayBoard {
  readonly #place: BoardPlace;
  readonly #around: Around;
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #session: BoardSession | undefined;
  #live: LiveDevice | undefined;
  /** How often the board has told of an output by itself, by its index. */
  readonly #presses = new Map<string, number>();

  constructor(place: BoardPlace, around: Around) {
    this.#place = place;
    this.#around = around;
    this.#ended = this.#run();
  }

  /** Lines that say nothing that a board says. */
  notUnderstood = 0;

  /** Its edgeId while the hub has it. */
  get live(): string | undefined {
    return this.#live?.edgeId;
  }

  read({ service, index }: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return this.#around.kit.carryOut(attempt, async (watched) => {
      if (service !== "Switch") return { refused: "The property cannot be read." };
      const now = await this.#ask(`GET ${index}`, index, () => true, watched);
      if (now === "refused") return { refused: "The board has no such output." };
      return now === undefined ? { unknown: "The board has not answered." } : { now: now.isOn };
    });
  }

  write({ service, index }: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return this.#around.kit.carryOut(attempt, async (watched) => {
      if (service === "Identify") return await this.#blink(watched);
      if (service !== "Switch") return { refused: "The property cannot be written." };
      const line = `SET ${index} ${value === true ? "ON" : "OFF"}`;
      const now = await this.#ask(line, index, ({ isOn }) => isOn === value, watched);
      if (now === "refused") return { refused: "The output is locked." };
      return now === undefined ? { unknown: "The board has not answered." } : { now: now.isOn };
    });
  }

  /** The board says that it does, and not when it stops. */
  async #blink(attempt: Attempt): Promise<Outcome> {
    const session = this.#session;
    if (!session) throw new Error("The board is not connected.");
    attempt.touch(() => session.send("BLINK"));
    const heard = await session.hear((text) => text === "OK" || undefined, attempt);
    return heard ? { now: true } : { unknown: "The board has not answered." };
  }

  async end(): Promise<void> {
    this.#ending.abort(new Error("the driver ends"));
    this.#session?.close();
    await this.#ended;
  }

  /** One connection after another, until the end. */
  async #run(): Promise<void> {
    const { clock, random, kit } = this.#around;
    const { signal } = this.#ending;
    const waits = kit.backoff(AGAIN, random);
    while (!signal.aborted) {
      const from = clock.monotonic();
      try {
        const link = await this.#place.connect(signal);
        await this.#serve(link);
      } catch {
        // It is not there: it is tried again.
      }
      const waitMs = waits.next(clock.monotonic() - from);
      await kit.sleep(clock, "board to be reached again", waitMs, signal).catch(() => undefined);
    }
  }

  async #serve(link: BoardLink): Promise<void> {
    const { host, clock } = this.#around;
    const session = new BoardSession(link, clock, (output) => this.#tell(output));
    this.#session = session;
    host.opened(this.#place.name);
    let forget: () => void = () => undefined;
    const offer = (device: LiveDevice) => {
      if (this.#session !== session) return;
      forget();
      forget = () => undefined;
      if (host.arrived(device) === "admitted") void this.#begin(device);
      else forget = host.whenFree(device.edgeId, () => offer(device));
    };
    void this.#introduced(session).then((device) => (device ? offer(device) : session.close()));
    await link.closed;
    forget();
    this.#session = undefined;
    const left = this.live;
    this.#live = undefined;
    if (left !== undefined) host.left(left);
  }

  /** What the board says of itself; undefined when it is none. */
  async #introduced(session: BoardSession): Promise<LiveDevice | undefined> {
    const { clock, kit } = this.#around;
    const { name } = this.#place;
    session.send("WHO");
    const isWho = (line: string) => /^BOARD (\S+) (\d{1,2}) (\S{1,32})$/.exec(line) ?? undefined;
    const said = await session.hear(isWho, { deadline: clock.monotonic() + ANSWER_MS });
    const [, eui = "", outputs = "", firmware] = said ?? [];
    const edgeId = kit.edgeIdOfEui(eui);
    if (edgeId === undefined || Number(outputs) > MOST_OUTPUTS) return undefined;
    const about = { manufacturer: "Example", model: `Relay ${outputs}`, firmware };
    return { edgeId, about, transport: name, description: describe(Number(outputs)) };
  }

  /** The hub has it: what are its outputs? */
  async #begin(device: LiveDevice): Promise<void> {
    const { host, clock, kit } = this.#around;
    this.#live = device;
    for (const { service, index, properties } of device.description) {
      if (service !== "Switch" || this.#live !== device) continue;
      const address = { service, index, property: properties[0]?.property ?? "" };
      const permit = { deadline: clock.monotonic() + ANSWER_MS, mayTouch: () => this.#live === device };
      const presses = this.#presses.get(index);
      const result = await this.read(address, kit.attemptOf(clock, permit));
      // What the board has told by itself meanwhile is newer than its answer.
      if (this.#presses.get(index) !== presses) continue;
      if (result.kind === "value")
        await host.learned({ device: device.edgeId, ...address, value: result.value }).catch(() => undefined);
      else host.unread(device.edgeId, address);
    }
  }

  /** Sends one line and waits for what the board says that the output is. @throws Error, and nothing is sent, without a board */
  async #ask(line: string, index: string, isIt: (output: Output) => boolean, attempt: Attempt) {
    const session = this.#session;
    if (!session) throw new Error("The board is not connected.");
    attempt.touch(() => session.send(line));
    return await session.hear<Output | "refused">((text) => {
      if (text === `ERR ${index}`) return "refused";
      const output = outputIn(text);
      return output?.index === index && isIt(output) ? output : undefined;
    }, attempt);
  }

  /** A line for which nobody waits: somebody has pressed a button on the board, or it is none of a board. */
  #tell(output: Output | undefined): void {
    if (!output) {
      this.notUnderstood += 1;
      return;
    }
    const device = this.live;
    const { index, isOn } = output;
    this.#presses.set(index, (this.#presses.get(index) ?? 0) + 1);
    if (device !== undefined)
      void this.#around.host.pushed({ device, service: "Switch", index, property: "on", value: isOn });
  }
}

function describe(outputs: number): DeviceDescription {
  const on = { property: "on", type: "boolean", access: ["read", "write", "notify"] } as const;
  const active = { property: "active", type: "boolean", access: ["write"], values: [true] } as const;
  return [
    ...Array.from({ length: outputs }, (_, index) => ({ service: "Switch", index: String(index), properties: [on] })),
    { service: "Identify", index: "0", properties: [active] },
  ];
}
