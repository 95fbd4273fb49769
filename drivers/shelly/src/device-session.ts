/**
 * One channel to a device from start to end: reads the whole device, describes it, and follows its reports. Apart from how the channel is
 * opened, because a sleeping device opens it itself.
 */
import { Gate } from "@porchlight/driver-kit";
import type { TextSocket, TextSocketEvents } from "@porchlight/driver-kit/links";
import { type Clock, type Random, type Timer, TokenBucket } from "@porchlight/shared/kernel";
import type { Secret } from "@porchlight/shared/settings";
import { componentsJson, type DeviceInfo, describeShelly } from "./description/describe.ts";
import type { ShellyDescription } from "./description/shelly-property.ts";
import { type FrameCounters, type Notice, RpcChannel, Unanswered } from "./rpc-channel.ts";
import type { ShellyDevice } from "./shelly-device.ts";
import { shellyOf } from "./trouble.ts";

export interface DeviceSessionDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** The hub's name in the protocol. */
  readonly src: string;
  /** Identity of the device; left out when the device opened the channel itself, which then sends its own ID. */
  readonly info?: DeviceInfo | undefined;
  readonly password?: Secret | undefined;
  readonly counters: SessionCounters;
  /** Called when the configuration has changed and the device has been described again. */
  readonly redescribed: (description: ShellyDescription) => void;
}

export interface SessionCounters extends FrameCounters {
  /** Notices above the rate limit; the whole status is read again soon after. */
  tooFast: number;
}

/** Timeout of requests that the driver sends on its own, ms. */
const ANSWER_MS = 10_000;
/** Rate limit of notices from one device; no device changes faster for long. */
const PACE = { perSecond: 50, burst: 200 };
/** Delay before the device is read again, after dropped notices or a change of configuration, ms. */
const READ_AGAIN_MS = 1000;
/** Maximum notices kept before the device exists. */
const MOST_EARLY = 256;
/** Events that change the device's description. */
const OTHERWISE: ReadonlySet<string> = new Set(["config_changed", "component_added", "component_removed"]);

export class DeviceSession implements Disposable {
  readonly #deps: DeviceSessionDeps;
  readonly #pace: TokenBucket;
  readonly #closed: PromiseWithResolvers<Error>;
  readonly #channel: RpcChannel;
  #device: ShellyDevice | undefined;
  /** Notices that arrived before the device existed and are newer than the whole status; undefined while none are kept. */
  #early: Notice[] | undefined;
  #info: DeviceInfo | undefined;
  /** The device's ID in the protocol. */
  #id: string | undefined;
  readonly #named: Gate;
  #status: unknown;
  #again: Timer | undefined;
  #mustDescribe = false;

  private constructor(deps: DeviceSessionDeps, channel: RpcChannel, closed: PromiseWithResolvers<Error>) {
    this.#deps = deps;
    this.#channel = channel;
    this.#pace = new TokenBucket(PACE, deps.clock.monotonic());
    this.#closed = closed;
    this.#info = deps.info;
    this.#id = deps.info?.id;
    this.#named = new Gate(deps.clock);
    // A device that opened the channel itself may fall asleep before it can be read, so its first notices count.
    if (!deps.info) this.#early = [];
  }

  /** @throws what `open` throws */
  static async start(
    deps: DeviceSessionDeps,
    open: (events: TextSocketEvents) => Promise<TextSocket>,
  ): Promise<DeviceSession> {
    const closed = Promise.withResolvers<Error>();
    let session: DeviceSession | undefined;
    const { clock, random, src, password, counters } = deps;
    const early: Notice[] = [];
    const heard = (notice: Notice) => {
      if (session) session.#hear(notice);
      else early.push(notice);
    };
    const names = { src, dst: () => session?.id ?? "" };
    const channel = await RpcChannel.over(
      { clock, random, password, counters, heard, closed: closed.resolve, ...names },
      open,
    );
    session = new DeviceSession(deps, channel, closed);
    for (const notice of early) session.#hear(notice);
    return session;
  }

  /** Resolves with the reason why the channel closed. */
  get closed(): Promise<Error> {
    return this.#closed.promise;
  }

  get channel(): RpcChannel {
    return this.#channel;
  }

  /** The device's ID in the protocol; undefined until the device has sent it. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Resolves when the device has sent its ID. @throws Unanswered */
  async named(): Promise<string> {
    if (this.#id === undefined) await this.#named.wait(this.#patience());
    if (this.#id === undefined) throw new Unanswered("The device did not send its ID.");
    return this.#id;
  }

  /** Requests the device's identity. @throws Trouble, RpcRefused, Unanswered */
  async introduce(): Promise<DeviceInfo> {
    this.#info = shellyOf(await this.#channel.call("Shelly.GetDeviceInfo", {}, this.#patience()));
    return this.#info;
  }

  /** Reads the whole device, and its identity if that is still unknown. @throws RpcRefused, WrongPassword, Unanswered */
  async describe(): Promise<ShellyDescription> {
    const info = this.#info ?? (await this.introduce());
    const config = await this.#channel.call("Shelly.GetConfig", {}, this.#patience());
    using question = this.#device?.question();
    // Notices from here on may be newer than the answer; earlier ones are included in it.
    const sentAfter = this.#early?.length ?? 0;
    this.#early ??= [];
    const answered = (status: unknown) => {
      this.#status = status;
      this.#early = this.#early?.filter(({ method }, at) => method === "NotifyEvent" || at >= sentAfter);
      question?.answered(status);
    };
    await this.#channel.call("Shelly.GetStatus", {}, this.#patience(), { answered });
    return describeShelly(info, componentsJson(config), componentsJson(this.#status));
  }

  /** From now on delivers the channel's notices to this device, beginning with those received since it was read. */
  follow(device: ShellyDevice): void {
    this.#device = device;
    if (this.#status !== undefined) device.takeStatus(this.#status);
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
    this.#named.release();
    this.#device?.lost(this.#channel);
    this.#closed.resolve(new Error("the hub has closed the connection"));
  }

  #hear(notice: Notice): void {
    if (this.#id === undefined) {
      this.#id = notice.src;
      this.#named.open();
    }
    // Notices before the whole status are included in it.
    if (!this.#early) return;
    if (!this.#pace.take(this.#deps.clock.monotonic())) {
      this.#deps.counters.tooFast += 1;
      this.#readAgain();
    } else if (this.#device) this.#tell(this.#device, notice);
    else if (this.#early.length < MOST_EARLY) this.#early.push(notice);
    else this.#deps.counters.tooFast += 1;
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
        for (const { component } of otherwise) device.doubt(component);
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
      this.#mustDescribe = false;
      try {
        const described = await this.describe();
        this.#status = undefined;
        this.#deps.redescribed(described);
      } catch (failure) {
        this.#mustDescribe = true;
        throw failure;
      }
      return;
    }
    using question = device.question();
    const answered = (status: unknown) => question.answered(status);
    await this.#channel.call("Shelly.GetStatus", {}, this.#patience(), { answered });
  }

  #patience() {
    return { deadline: this.#deps.clock.monotonic() + ANSWER_MS };
  }
}
