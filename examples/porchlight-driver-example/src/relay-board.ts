/** One board at its address: connected to again and again, offered to the hub, read and written. */
import type {
  Attempt,
  DeviceAddresses,
  DriverResult,
  DriverSurroundings,
  Outcome,
  PropertyAddress,
  Value,
} from "@porchlight/driver-kit/package-api";
import { type Board, boardIn, type Part } from "./board-parts.ts";
import { BoardSession, type Statement, statementIn } from "./board-session.ts";
import type { BoardLink, Connect } from "./tcp.ts";

export interface BoardPlace {
  /** Its address, for people. */
  readonly name: string;
  readonly connect: Connect;
}

/** The parts of the driver's surroundings that a board needs. */
export type Around = Pick<DriverSurroundings, "host" | "clock" | "random" | "kit" | "store" | "log">;

/** Waits between tries to reach a board. */
const AGAIN = { firstMs: 1000, capMs: 60_000, stableMs: 60_000 };
/** Time limit for a board's answer to the driver's own requests, ms. */
const ANSWER_MS = 5000;
/** Maximum number of reads of a part while the board keeps reporting that part by itself. */
const MOST_QUESTIONS = 4;

export class RelayBoard {
  readonly #place: BoardPlace;
  readonly #around: Around;
  readonly #addresses: DeviceAddresses;
  readonly #ending = new AbortController();
  readonly #ended: Promise<void>;
  #session: BoardSession | undefined;
  /** From its last answer to `WHO`; `#live` has the edgeId under which the hub uses it. */
  #board: Board | undefined;
  #live: string | undefined;
  /** By the part's ID: the last value that the board reported by itself, and the number of such reports. */
  readonly #reported = new Map<string, { readonly times: number; readonly value: Value }>();

  constructor(place: BoardPlace, around: Around, addresses: DeviceAddresses) {
    this.#place = place;
    this.#around = around;
    this.#addresses = addresses;
    this.#ended = this.#run();
  }

  /** Number of lines that are no message of a board. */
  notUnderstood = 0;

  /** Its edgeId while the hub uses it. */
  get live(): string | undefined {
    return this.#live;
  }

  read(address: PropertyAddress, attempt: Attempt): Promise<DriverResult> {
    return this.#around.kit.carryOut(attempt, async (watched) => {
      const part = this.#partAt(address);
      if (!part) return { refused: "The board has no such part." };
      for (let asked = 1; asked <= MOST_QUESTIONS; asked++) {
        const before = this.#reported.get(part.id)?.times;
        const answer = await this.#ask(`GET ${part.id}`, part, ({ verb }) => verb === "IS", watched);
        if (answer === "refused") return { refused: "The board has no such part." };
        if (answer === undefined) return { unknown: "The board has not answered." };
        // A report by the board itself meanwhile may be newer than the answer.
        if (this.#reported.get(part.id)?.times === before) return { now: part.read(answer.text) ?? null };
      }
      return { now: this.#reported.get(part.id)?.value ?? null };
    });
  }

  write(address: PropertyAddress, value: Value, attempt: Attempt): Promise<DriverResult> {
    return this.#around.kit.carryOut(attempt, async (watched) => {
      if (address.service === "Identify") return await this.#blink(watched);
      const part = this.#partAt(address);
      if (!part || address.service !== "Switch") return { refused: "The board has no such output." };
      const line = `SET ${part.id} ${value === true ? "ON" : "OFF"}`;
      const isSo = ({ verb, text }: Statement) => verb === "OUT" && part.read(text) === value;
      const answer = await this.#ask(line, part, isSo, watched);
      if (answer === "refused") return { refused: "The output is locked, or not there." };
      return answer === undefined ? { unknown: "The board has not answered." } : { now: value };
    });
  }

  /** The board confirms that it blinks, and does not report when it stops. */
  async #blink(attempt: Attempt): Promise<Outcome> {
    const session = this.#session;
    if (!session) throw new Error("The board is not connected.");
    attempt.touch(() => session.send("BLINK"));
    const received = await session.hear((text) => text === "OK" || undefined, attempt);
    return received ? { now: true } : { unknown: "The board has not answered." };
  }

  async end(): Promise<void> {
    this.#ending.abort(new Error("the driver ends"));
    this.#session?.close();
    await this.#ended;
  }

  /** Runs one connection after another, until the end. */
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
        // The board is not reachable: the next try follows.
      }
      const waitMs = waits.next(clock.monotonic() - from);
      await kit.sleep(clock, "board to be reached again", waitMs, signal).catch(() => undefined);
    }
  }

  async #serve(link: BoardLink): Promise<void> {
    const { host, clock } = this.#around;
    const session = new BoardSession(link, clock, (line, isAnswer) => this.#hear(line, isAnswer));
    this.#session = session;
    host.opened(this.#place.name);
    let forget: () => void = () => undefined;
    const offer = () => {
      const board = this.#board;
      if (this.#session !== session || !board) return;
      forget();
      forget = () => undefined;
      if (host.arrived(board.device) === "admitted") {
        this.#live = board.device.edgeId;
        void this.#readAll(board.parts);
      } else forget = host.whenFree(board.device.edgeId, offer);
    };
    session.send("WHO");
    const isWho = (line: string) => this.#boardIn(line);
    void session.hear(isWho, { deadline: clock.monotonic() + ANSWER_MS }).then((board) => {
      this.#board ??= board;
      if (board) offer();
      else session.close();
    });
    await link.closed;
    forget();
    this.#session = undefined;
    this.#board = undefined;
    const left = this.live;
    this.#live = undefined;
    if (left !== undefined) host.left(left);
  }

  /** Takes every line of the board. @param isAnswer a caller waited for the line */
  #hear(line: string, isAnswer: boolean): void {
    const statement = statementIn(line);
    if (statement) this.#report(statement, isAnswer);
    else if (isAnswer) return;
    else if (this.#board && this.#boardIn(line)) this.#describe(line);
    else this.notUnderstood += 1;
  }

  /** A part has reported its value, possibly the same as before: the hub then knows that it is still current. */
  #report({ verb, id, text }: Statement, isAnswer: boolean): void {
    const part = this.#board?.parts.find((each) => each.id === id);
    if (verb !== "OUT" || !part) {
      if (!isAnswer) this.notUnderstood += 1;
      return;
    }
    const value = part.read(text) ?? null;
    this.#reported.set(id, { times: (this.#reported.get(id)?.times ?? 0) + 1, value });
    const device = this.live;
    // The value of an answered write is the result of that write.
    if (device !== undefined && !isAnswer) void this.#around.host.pushed({ device, ...part.address, value });
  }

  /** Parts were added or removed: parts that stay keep their addresses and values. */
  #describe(line: string): void {
    const before = new Set(this.#board?.parts.map(({ id }) => id));
    this.#board = this.#boardIn(line);
    if (!this.#board || this.live === undefined) return;
    this.#around.host.described(this.#board.device);
    void this.#readAll(this.#board.parts.filter(({ id }) => !before.has(id)));
  }

  #boardIn(line: string): Board | undefined {
    return boardIn(line, this.#place.name, this.#around.kit, this.#addresses);
  }

  /** Reads the parts that are new to the hub. */
  async #readAll(parts: readonly Part[]): Promise<void> {
    const { host, clock, kit } = this.#around;
    const device = this.live;
    for (const { id, address } of parts) {
      if (device === undefined || this.live !== device) return;
      const permit = { deadline: clock.monotonic() + ANSWER_MS, mayTouch: () => this.live === device };
      const before = this.#reported.get(id)?.times;
      const result = await this.read(address, kit.attemptOf(clock, permit));
      // A report by the board itself meanwhile is newer than the answer.
      if (this.#reported.get(id)?.times !== before) continue;
      if (result.kind === "value")
        await host.learned({ device, ...address, value: result.value }).catch(() => undefined);
      else host.unread(device, address);
    }
  }

  #partAt({ service, index, property }: PropertyAddress): Part | undefined {
    return this.#board?.parts.find(
      ({ address }) => address.service === service && address.index === index && address.property === property,
    );
  }

  /** Sends one line and waits for a matching statement about the part. @throws Error, and nothing is sent, without a board */
  async #ask(line: string, { id }: Part, isIt: (statement: Statement) => boolean, attempt: Attempt) {
    const session = this.#session;
    if (!session) throw new Error("The board is not connected.");
    attempt.touch(() => session.send(line));
    return await session.hear<Statement | "refused">((text) => {
      if (text === `ERR ${id}`) return "refused";
      const statement = statementIn(text);
      return statement?.id === id && isIt(statement) ? statement : undefined;
    }, attempt);
  }
}
