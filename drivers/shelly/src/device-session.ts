/**
 * One channel to a device from its start to its end: the device is read whole, described, and heard. Apart from how the channel came to
 * be, because a device that sleeps opens it itself.
 */
import { Gate } from "@porchlight/driver-kit";
import type { TextSocket, TextSocketEvents } from "@porchlight/driver-kit/links";
import { type Clock, type Random, type Timer, TokenBucket } from "@porchlight/shared/kernel";
import type { Secret } from "@porchlight/shared/settings";
import { componentsJson, type DeviceInfo, describeShelly } from "./description/describe.ts";
import type { ShellyDescription } from "./description/shelly-property.ts";
import type { ShellyDevice } from "./device/shelly-device.ts";
import type { Notice } from "./rpc/frames.ts";
import { type FrameCounters, RpcChannel, Unanswered } from "./rpc/rpc-channel.ts";
import { shellyOf } from "./trouble.ts";

export interface DeviceSessionDeps {
  readonly clock: Clock;
  readonly random: Random;
  /** The hub's name in the protocol. */
  readonly src: string;
  /** What the device is; left out for one that has opened the channel itself: it says its name. */
  readonly info?: DeviceInfo | undefined;
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
/** Notices that are kept until there is a device. */
const MOST_EARLY = 256;
/** Events after which the device describes itself otherwise. */
const OTHERWISE: ReadonlySet<string> = new Set(["config_changed", "component_added", "component_removed"]);

export class DeviceSession implements Disposable {
  readonly #deps: DeviceSessionDeps;
  readonly #pace: TokenBucket;
  readonly #closed: PromiseWithResolvers<Error>;
  readonly #channel: RpcChannel;
  #device: ShellyDevice | undefined;
  /** What was heard before there is a device, and is newer than the whole status; undefined while none is kept. */
  #early: Notice[] | undefined;
  #info: DeviceInfo | undefined;
  /** The device's name in the protocol. */
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
    // One that calls may have gone to sleep again before it can be asked: what it says first counts.
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

  /** Settles with why the channel is gone. */
  get closed(): Promise<Error> {
    return this.#closed.promise;
  }

  get channel(): RpcChannel {
    return this.#channel;
  }

  /** The device's name in the protocol; undefined while it has not said it. */
  get id(): string | undefined {
    return this.#id;
  }

  /** Settles when the device has said its name. @throws Unanswered */
  async named(): Promise<string> {
    if (this.#id === undefined) await this.#named.wait(this.#patience());
    if (this.#id === undefined) throw new Unanswered("The device did not send its ID.");
    return this.#id;
  }

  /** Asks what the device is. @throws Trouble, RpcRefused, Unanswered */
  async introduce(): Promise<DeviceInfo> {
    this.#info = shellyOf(await this.#channel.call("Shelly.GetDeviceInfo", {}, this.#patience()));
    return this.#info;
  }

  /** Reads the device whole, once it is known what it is. @throws RpcRefused, WrongPassword, Unanswered */
  async describe(): Promise<ShellyDescription> {
    const info = this.#info ?? (await this.introduce());
    const config = await this.#channel.call("Shelly.GetConfig", {}, this.#patience());
    using question = this.#device?.question();
    // What it tells from here on may be newer than its answer; what it told before is in the answer.
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

  /** From now on this device hears what the channel says, beginning with what it has said since it was read. */
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
    // Before the whole status it says what that says too.
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
