/**
 * One channel to a device from its start to its end: the device is read whole, described, and heard. Apart from how the channel came to
 * be, because a device that sleeps opens it itself.
 */
import { type Clock, type Random, type Timer, TokenBucket } from "@porchlight/shared/kernel";
import type { Secret } from "@porchlight/shared/settings";
import { componentsJson, describeShelly } from "./description/describe.ts";
import type { DeviceInfo } from "./description/device-info.ts";
import type { ShellyDescription } from "./description/shelly-property.ts";
import type { ShellyDevice } from "./device/shelly-device.ts";
import type { Notice } from "./rpc/frames.ts";
import { type FrameCounters, RpcChannel } from "./rpc/rpc-channel.ts";
import type { RpcSocket, SocketEvents } from "./rpc/shelly-network.ts";

export interface DeviceSessionDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** The hub's name in the protocol. */
  readonly src: string;
  readonly info: DeviceInfo;
  readonly password?: Secret | undefined;
  readonly counters: SessionCounters;
  /** It is configured otherwise than before, and describes itself anew. */
  readonly redescribed: (description: ShellyDescription) => void;
}

export interface SessionCounters extends FrameCounters {
  /** Notices beyond the pace: the device is asked for all of it soon after. */
  tooFast: number;
}

/** How long an answer may take that nobody waits for, ms. */
const ANSWER_MS = 10_000;
/** Changes of one device: no device changes faster for long. */
const PACE = { perSecond: 50, burst: 200 };
/** After notices that were left aside, and after a change of the configuration, ms. */
const READ_AGAIN_MS = 1000;
/** Events after which the device describes itself otherwise. */
const OTHERWISE: ReadonlySet<string> = new Set(["config_changed", "component_added", "component_removed"]);

export class DeviceSession implements Disposable {
  readonly #deps: DeviceSessionDeps;
  readonly #pace: TokenBucket;
  readonly #closed: PromiseWithResolvers<Error>;
  readonly #channel: RpcChannel;
  #device: ShellyDevice | undefined;
  /** What was heard after the whole status and before there is a device; undefined while there is no status. */
  #early: Notice[] | undefined;
  #status: unknown;
  #again: Timer | undefined;
  #mustDescribe = false;

  private constructor(deps: DeviceSessionDeps, channel: RpcChannel, closed: PromiseWithResolvers<Error>) {
    this.#deps = deps;
    this.#channel = channel;
    this.#pace = new TokenBucket(PACE, deps.clock.monotonic());
    this.#closed = closed;
  }

  /** @throws what `open` throws */
  static async start(
    deps: DeviceSessionDeps,
    open: (events: SocketEvents) => Promise<RpcSocket>,
  ): Promise<DeviceSession> {
    const closed = Promise.withResolvers<Error>();
    let session: DeviceSession | undefined;
    const { clock, random, src, password, counters, info } = deps;
    const heard = (notice: Notice) => {
      if (session) session.#hear(notice);
    };
    const names = { src, dst: () => info.id };
    const channel = await RpcChannel.over(
      { clock, random, password, counters, heard, closed: closed.resolve, ...names },
      open,
    );
    session = new DeviceSession(deps, channel, closed);
    return session;
  }

  /** Settles with why the channel is gone. */
  get closed(): Promise<Error> {
    return this.#closed.promise;
  }

  get channel(): RpcChannel {
    return this.#channel;
  }

  /** Reads the device whole. @throws RpcRefused, WrongPassword, Unanswered */
  async describe(): Promise<ShellyDescription> {
    const config = await this.#channel.call("Shelly.GetConfig", {}, this.#patience());
    const answered = (status: unknown) => {
      this.#status = status;
      this.#early ??= [];
      this.#device?.takeStatus(status);
    };
    await this.#channel.call("Shelly.GetStatus", {}, this.#patience(), { answered });
    return describeShelly(this.#deps.info, componentsJson(config), componentsJson(this.#status));
  }

  /** From now on this device hears what the channel says, beginning with what it has said since it was read. */
  follow(device: ShellyDevice): void {
    this.#device = device;
    device.takeStatus(this.#status);
    this.#status = undefined;
    for (const notice of this.#early ?? []) this.#tell(device, notice);
    this.#early = [];
    device.reachedBy(this.#channel);
  }

  /** Closes the channel. Safe to repeat. */
  [Symbol.dispose](): void {
    this.#again?.cancel();
    this.#again = undefined;
    this.#channel.close();
    this.#device?.reachedBy(undefined);
    this.#closed.resolve(new Error("the hub has closed the connection"));
  }

  #hear(notice: Notice): void {
    // Before the whole status it says what that says too.
    if (!this.#early) return;
    if (!this.#pace.take(this.#deps.clock.monotonic())) {
      this.#deps.counters.tooFast += 1;
      this.#readAgain();
    } else if (this.#device) this.#tell(this.#device, notice);
    else this.#early.push(notice);
  }

  #tell(device: ShellyDevice, notice: Notice): void {
    switch (notice.method) {
      case "NotifyStatus":
        device.takeChanges(notice.params);
        return;
      case "NotifyFullStatus":
        device.takeStatus(notice.params);
        return;
      case "NotifyEvent": {
        const { events } = notice.params;
        const otherwise = events.filter(({ event }) => OTHERWISE.has(event));
        if (otherwise.length > 0) {
          this.#mustDescribe = true;
          this.#readAgain();
        }
        device.takeEvents(events.filter(({ event }) => !OTHERWISE.has(event)));
      }
    }
  }

  #readAgain(): void {
    if (this.#channel.isClosed) return;
    this.#again ??= this.#deps.clock.timer("device to be read again", READ_AGAIN_MS, () => {
      this.#again = undefined;
      this.#readWhole().catch(() => this.#readAgain());
    });
  }

  async #readWhole(): Promise<void> {
    const device = this.#device;
    if (!device) return;
    if (this.#mustDescribe) {
      const described = await this.describe();
      this.#mustDescribe = false;
      this.#status = undefined;
      this.#deps.redescribed(described);
      return;
    }
    const answered = (status: unknown) => device.takeStatus(status);
    await this.#channel.call("Shelly.GetStatus", {}, this.#patience(), { answered });
  }

  #patience() {
    return { deadline: this.#deps.clock.monotonic() + ANSWER_MS };
  }
}
