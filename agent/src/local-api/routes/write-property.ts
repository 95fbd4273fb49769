/**
 * Sets a property at home: a PUT without the cloud (A4, A9).
 *
 * Invariants: a value that the device would refuse is refused before the device is asked; a command is journaled before the device is
 * touched, and shares one order with the cloud's commands; under one idempotency key no second command is executed.
 */
import type { PropertyItem } from "@porchlight/shared/api";
import { type Clock, type IdMaker, type Log, NamedError, sleep } from "@porchlight/shared/kernel";
import type { DescribedProperty, Value } from "@porchlight/shared/model";
import { checkWrite, propertyItem, withCommandId } from "@porchlight/shared/rest";
import type { Commands } from "../../commands/index.ts";
import type { CommandRequest, CommandScene, State, StoredResult } from "../../state/index.ts";
import type { HomeDevice, HomeView } from "./home-view.ts";
import { Repeats, type WriteKey } from "./repeats.ts";

export interface WritePropertyDeps {
  readonly clock: Clock;
  readonly ids: IdMaker;
  readonly log: Log;
  readonly state: Pick<State, "entry" | "home">;
  readonly view: Pick<HomeView, "target">;
  readonly commands: Pick<Commands, "command">;
  readonly mayTouch: () => boolean;
}

export interface WriteRequest {
  readonly device: HomeDevice;
  /** `SERVICE[:INDEX].PROPERTY`. */
  readonly selector: string;
  readonly value: Value;
  /** As a report of a sensor, which is refused for a physical device. */
  readonly report: boolean;
  /** How long the caller waits, ms. */
  readonly waitMs: number;
  /** Present when the request came with an idempotency key. */
  readonly key: WriteKey | undefined;
  /** The label of the token of the request. */
  readonly by?: string | undefined;
  /** The scene that the write belongs to. */
  readonly scene?: CommandScene | undefined;
}

export interface Written {
  readonly commandId: string;
  readonly item: PropertyItem;
  /** The command was executed by an earlier request. */
  readonly replayed: boolean;
}

/** The device's deadline is this much earlier than the caller's, ms; a quarter of a short wait. */
const MARGIN_MS = 100;
const NO_ANSWER = "The device did not answer in time: whether the command was carried out is not known yet.";

export class HomeWrites {
  readonly #deps: WritePropertyDeps;
  readonly #repeats: Repeats;

  constructor(deps: WritePropertyDeps) {
    this.#deps = deps;
    this.#repeats = new Repeats(deps.state);
  }

  /**
   * @throws "Service Not Found", "Service Property Invalid", "Property Not Writable", "Property Value Invalid", "Idempotency Key
   * Reused", "Idempotency Key In Use", "Hub Timeout", "Device Unreachable", "Device Rejected", "Service Unavailable"; each with
   * `x-command-id`
   */
  async set(request: WriteRequest): Promise<Written> {
    let commandId: string = this.#deps.ids.next("cmd");
    try {
      const { device, key, waitMs } = request;
      const property = propertyOf(request);
      const command = this.#commandOf(request, property);
      const standing = key && this.#repeats.standing(key, command);
      commandId = standing?.commandId ?? commandId;
      const result = standing?.result ?? (await this.#carryOut({ id: commandId, ...command }, waitMs));
      const replayed = standing?.result !== undefined;
      if (result.outcome !== "confirmed") throw refusalOf(result, replayed);
      return { commandId, item: this.#itemOf(device, property, result), replayed };
    } catch (error) {
      throw withCommandId(error, commandId);
    }
  }

  /**
   * Checks that no request can be refused for its key; otherwise none of the writes under one key is begun.
   * @throws "Idempotency Key Reused", "Idempotency Key In Use"
   */
  requireFree(requests: readonly WriteRequest[]): void {
    for (const request of requests) {
      const { device, selector, key } = request;
      const property = device.described.byKey.get(selector);
      if (key && property) this.#repeats.standing(key, this.#commandOf(request, property));
    }
  }

  #commandOf({ device, value, scene }: WriteRequest, property: DescribedProperty): Omit<CommandRequest, "id"> {
    return { ...this.#deps.view.target({ device, property }), value, local: true, ...(scene && { scene }) };
  }

  /** @throws "Hub Timeout", "Service Unavailable" */
  async #carryOut(command: CommandRequest, waitMs: number): Promise<StoredResult> {
    const { clock, commands, mayTouch } = this.#deps;
    const deadline = clock.monotonic() + waitMs - Math.min(MARGIN_MS, waitMs / 4);
    const answered = new AbortController();
    const asked = commands.command(command, { deadline, mayTouch });
    const result = this.#repeats.running(command, asked);
    const patience = sleep(clock, "write at home", waitMs, answered.signal).then(() => {
      // A command that has not begun by then is refused as late at its turn.
      throw new NamedError("Hub Timeout", NO_ANSWER, { outcome: "unknown" });
    });
    patience.catch(() => undefined);
    try {
      return await Promise.race([result.catch((failure: unknown) => this.#notStored(command, failure)), patience]);
    } finally {
      answered.abort();
    }
  }

  #notStored({ id }: CommandRequest, cause: unknown): never {
    this.#deps.log.error(
      { command: id, failure: String(cause) },
      "the result of a command from the API at home could not be stored yet",
    );
    const detail = "The device was asked, but its answer could not be stored yet.";
    throw new NamedError("Service Unavailable", detail, { outcome: "unknown", retryAfter: 1, cause });
  }

  #itemOf(device: HomeDevice, property: DescribedProperty, result: StoredResult): PropertyItem {
    const { n: number, value = result.requested, observedAt, modifiedAt = observedAt } = result;
    const { ecosystemId = "", environmentId = "" } = this.#deps.state.home.place ?? {};
    const place = { ecosystemId, environmentId, deviceId: device.id };
    return propertyItem(place, property, { value: JSON.stringify(value), number, modifiedAt, observedAt });
  }
}

/** @throws "Service Not Found", "Service Property Invalid", "Property Not Writable", "Property Value Invalid" */
function propertyOf({ device, selector, value, report }: WriteRequest): DescribedProperty {
  return checkWrite(device.described, selector, value, report ? "refused" : "none");
}

/** The error for the caller of a command that was not confirmed. */
function refusalOf({ outcome, failure }: StoredResult, replayed: boolean): NamedError {
  return new NamedError(failure?.name ?? "Device Unreachable", failure?.detail, {
    outcome,
    ...(failure?.code !== undefined && { members: { code: failure.code } }),
    // An unknown outcome is the current state of the command, and not its final answer.
    ...(replayed && outcome !== "unknown" && { headers: { "idempotent-replayed": "true" } }),
  });
}
