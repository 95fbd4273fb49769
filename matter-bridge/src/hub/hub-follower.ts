/**
 * Follows the hub: its devices, their values, and whether the hub answers, across reconnections.
 *
 * Invariants: updates keep the order of the hub's events; after an interruption longer than the hub's log, everything is read again.
 */
import { isPorchlightError, type Porchlight, type StreamItem } from "@porchlight/sdk";
import type { Device, PropertyItem } from "@porchlight/shared/api";
import { type Clock, type Log, sleep, type Timer } from "@porchlight/shared/kernel";
import type { Value } from "@porchlight/shared/model";
import { KnownDevice } from "./known-device.ts";

export interface HubFollowerDeps {
  readonly clock: Clock;
  readonly log: Log;
  readonly hub: Pick<Porchlight, "devices" | "events">;
  readonly isChosen: (device: Device) => boolean;
  /** Called when all devices are known for the first time. */
  readonly ready: () => void;
  /** Called for a new device, and for every change of one. */
  readonly changed: (device: KnownDevice) => void;
  /** Called when a device was removed, or is no longer chosen. */
  readonly gone: (deviceId: string) => void;
  /** Called for each value that a device reports, including events. */
  readonly reported: (device: KnownDevice, key: string, value: Value) => void;
}

/** The hub sends something every 5 s; after this silence it counts as unreachable, ms. */
const SILENCE_MS = 15_000;
/** Delay before devices are read again whose connection the hub reports as unknown, ms. */
const UNDECIDED_MS = 5000;

export class HubFollower {
  readonly #deps: HubFollowerDeps;
  readonly #known = new Map<string, KnownDevice>();
  #isHubThere = false;
  /** Whether all devices have been read. That happens at the first connection, and when the hub's log no longer covers the gap. */
  #hasRead = false;
  #again: Timer | undefined;
  /** Requests to the hub beside its event stream, run one after another. */
  #work: Promise<void> = Promise.resolve();

  constructor(deps: HubFollowerDeps) {
    this.#deps = deps;
  }

  get isHubThere(): boolean {
    return this.#isHubThere;
  }

  device(id: string): KnownDevice | undefined {
    return this.#known.get(id);
  }

  get all(): IterableIterator<KnownDevice> {
    return this.#known.values();
  }

  /** Runs until the signal is aborted. @throws PorchlightError when the hub refuses the token */
  async run(signal: AbortSignal): Promise<void> {
    const { hub } = this.#deps;
    const onConnection = ({ state }: { readonly state: "connected" | "lost" }) => this.#connection(state, signal);
    try {
      const options = { types: ["property.changed", "device.*"], snapshot: true, silenceMs: SILENCE_MS };
      for await (const item of hub.events({ ...options, onConnection, signal })) {
        this.#work = this.#work.then(() => this.#untilDone(() => this.#take(item, signal), signal));
        await this.#work;
      }
    } finally {
      this.#again?.cancel();
      await this.#work.catch(() => undefined);
    }
  }

  #connection(state: "connected" | "lost", signal: AbortSignal): void {
    const isThere = state === "connected";
    if (this.#isHubThere === isThere) return;
    this.#isHubThere = isThere;
    this.#deps.log.info({}, isThere ? "the hub answers" : "the hub does not answer: its devices cannot be reached");
    // Events cover the interruption, except for devices whose state a restarted agent does not know yet.
    if (isThere && this.#hasRead) this.#lookAgain(signal, 0);
    else for (const device of this.#known.values()) this.#deps.changed(device);
  }

  async #take(item: StreamItem, signal: AbortSignal): Promise<void> {
    switch (item.kind) {
      case "reset":
        return;
      case "snapshot":
        await this.#readAll(item.items, signal);
        return;
      case "event": {
        const { type, data } = item.event;
        if (type === "property.changed") await this.#say(data.item, signal);
        else if (type === "device.removed") this.#forget(data.id);
        else if (type.startsWith("device.")) await this.#see(data as Device, signal, type !== "device.offline");
        return;
      }
    }
  }

  /** Reads all devices with their descriptions and values. */
  async #readAll(items: readonly PropertyItem[], signal: AbortSignal): Promise<void> {
    const { hub, ready, log } = this.#deps;
    const found: Device[] = [];
    for await (const device of hub.devices.list({}, { signal })) found.push(device);
    const isThere = new Set(found.map(({ id }) => id));
    for (const id of this.#known.keys()) if (!isThere.has(id)) this.#forget(id);
    for (const device of found) await this.#see(device, signal, true);
    for (const item of items) this.#known.get(item.deviceId)?.says(item);
    for (const device of this.#known.values()) this.#deps.changed(device);
    this.#waitForUndecided(signal);
    if (this.#hasRead) return;
    this.#hasRead = true;
    log.info({ devices: found.length, shown: this.#known.size }, "the hub's devices are known");
    ready();
  }

  /** Takes the current state of a device. @param anew the description may have changed */
  async #see(device: Device, signal: AbortSignal, anew: boolean): Promise<void> {
    if (!this.#deps.isChosen(device)) return this.#forget(device.id);
    const known = this.#known.get(device.id) ?? new KnownDevice(device);
    known.becomes(device);
    if (anew || !this.#known.has(device.id)) await this.#describe(known, signal);
    this.#known.set(device.id, known);
    this.#deps.changed(known);
  }

  /** Retries while the hub does not answer, so that no event of its stream is lost. @throws PorchlightError when the hub refuses */
  async #untilDone(work: () => Promise<void>, signal: AbortSignal): Promise<void> {
    for (;;) {
      try {
        return await work();
      } catch (failure) {
        if (!isPorchlightError(failure) || (failure.status >= 400 && failure.status < 500 && failure.status !== 429))
          throw failure;
        this.#deps.log.warn({ failure: String(failure) }, "the hub's devices could not be read");
        await sleep(this.#deps.clock, "the hub's devices read again", UNDECIDED_MS, signal);
      }
    }
  }

  async #describe(known: KnownDevice, signal: AbortSignal): Promise<void> {
    try {
      known.describedAs(await this.#deps.hub.devices.services(known.device.id, { signal }));
    } catch (failure) {
      // The device was removed during the request; its event follows.
      if (!isPorchlightError(failure) || failure.status !== 404) throw failure;
    }
  }

  async #say(item: PropertyItem, signal: AbortSignal): Promise<void> {
    const known = this.#known.get(item.deviceId);
    if (!known) return;
    const key = known.says(item);
    // A live device can change its description without an event.
    if (!known.has(key)) await this.#describe(known, signal);
    this.#deps.changed(known);
    this.#deps.reported(known, key, item.value as Value);
  }

  #forget(id: string): void {
    if (this.#known.delete(id)) this.#deps.gone(id);
  }

  #waitForUndecided(signal: AbortSignal): void {
    const isUndecided = [...this.#known.values()].some(({ device }) => device.connection?.state === "unknown");
    if (isUndecided && this.#isHubThere) this.#lookAgain(signal, UNDECIDED_MS);
  }

  /** Requests the connection state of every device, beside the event stream. */
  #lookAgain(signal: AbortSignal, ms: number): void {
    this.#again?.cancel();
    this.#again = this.#deps.clock.timer("which devices the hub reaches", ms, () => {
      this.#work = this.#work
        .then(async () => {
          if (signal.aborted || !this.#isHubThere) return;
          for await (const device of this.#deps.hub.devices.list({}, { signal }))
            await this.#see(device, signal, false);
          this.#waitForUndecided(signal);
        })
        .catch((failure: unknown) => {
          this.#deps.log.warn({ failure: String(failure) }, "the hub's devices could not be read again");
          if (!signal.aborted) this.#lookAgain(signal, UNDECIDED_MS);
        });
    });
  }
}
