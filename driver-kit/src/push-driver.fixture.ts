/** A driver as small as one can be: of the plugs behind a bus, which push. For tests of the kit. */
import { Backoff, type Clock, type Random, sleep } from "@porchlight/shared/kernel";
import {
  type Access,
  type PropertyAddress,
  type ServiceDescription,
  standardProperty,
  type Value,
} from "@porchlight/shared/model";
import { carryOut } from "./contract/carry-out.ts";
import type { Attempt, DriverResult } from "./contract/driver.ts";
import { Gate } from "./contract/gate.ts";
import type { SharedHost } from "./host/session-claims.ts";
import type { StatedDriver } from "./host/supervised.ts";
import type { BusConnection, PlugAnswer, PushBus } from "./push-bus.fixture.ts";
import { isRecord, parseRawJson } from "./values/raw-json.ts";
import { type Read, readBoolean, readPercent, readText } from "./values/raw-values.ts";

export const ON = { service: "Switch", index: "0", property: "on" };
export const PRESS = { service: "Button", index: "0", property: "event" };
export const LEVEL = { service: "LightLevel", index: "0", property: "level" };

/** What a plug sends, member by member. */
const MEMBERS: readonly Member[] = [
  { member: "on", address: ON, read: readBoolean },
  { member: "level", address: LEVEL, read: (raw) => readPercent(raw, 255, [65535]) },
  { member: "event", address: PRESS, read: readText },
];

interface Member {
  readonly member: string;
  readonly address: PropertyAddress;
  readonly read: (raw: unknown) => Read<Value>;
}

const LONGEST_TEXT = 16 * 1024;
const BACKOFF = { firstMs: 1000, capMs: 60_000, stableMs: 60_000 };

/** Each with what can be done with it here: the level is only reported, and no plug reports whether it shows itself. */
const DESCRIPTION = [
  described(ON, ["read", "write", "notify"]),
  described(LEVEL, ["notify"]),
  described(PRESS, ["notify"]),
  described({ service: "Identify", index: "0", property: "active" }, ["write"]),
];

export interface PushDriverDeps {
  readonly bus: PushBus;
  readonly host: SharedHost;
  readonly clock: Clock;
  readonly random: Random;
}

export function pushDriver({ bus, host, clock, random }: PushDriverDeps): StatedDriver {
  const ignored = { notJson: 0, tooLong: 0, wrongType: 0 };
  const ending = new AbortController();
  const asking = new Set<Gate>();
  /** What the host lets the driver have, and for what it waits. */
  const live = new Set<string>();
  /** How often each property was pushed: an answer of before the last push is not the newest. */
  const pushes = new Map<string, number>();
  const waiting = new Map<string, () => void>();
  let connection: BusConnection | undefined;
  const ended = keepOpen();

  async function keepOpen(): Promise<void> {
    const waits = new Backoff(BACKOFF, random);
    while (!ending.signal.aborted) {
      const openedAt = clock.monotonic();
      const lasted = await listen().then(
        () => clock.monotonic() - openedAt,
        () => 0,
      );
      await sleep(clock, "bus to be opened again", waits.next(lasted), ending.signal).catch(() => undefined);
    }
  }

  /** Until the connection is gone. @throws Error when there is none */
  async function listen(): Promise<void> {
    const gone = Promise.withResolvers<void>();
    const { signal } = ending;
    const stop = () => gone.resolve();
    using opened = await bus.open({ received: take, closed: stop });
    if (signal.aborted) return;
    signal.addEventListener("abort", stop, { once: true });
    connection = opened;
    host.opened("bus");
    for (const edgeId of opened.ids) offer(edgeId, opened);
    await gone.promise;
    signal.removeEventListener("abort", stop);
    connection = undefined;
    for (const gate of asking) gate.release();
    for (const forget of waiting.values()) forget();
    waiting.clear();
    for (const edgeId of live) host.left(edgeId);
    live.clear();
  }

  /** Again and again until the host lets the driver have it: another link may have it, or the host may have to ask first. */
  function offer(edgeId: string, bus: Pick<BusConnection, "ask">): void {
    waiting.delete(edgeId);
    if (host.arrived({ edgeId, description: DESCRIPTION, about: {}, transport: "bus" }) !== "admitted") {
      const again = () => offer(edgeId, bus);
      waiting.set(edgeId, host.whenFree(edgeId, again));
      return;
    }
    live.add(edgeId);
    void bus.ask(edgeId).then((answer) => learn(edgeId, answer));
  }

  function learn(device: string, answer: PlugAnswer): void {
    if (live.has(device) && "now" in answer) void host.learned({ device, ...ON, value: answer.now });
  }

  function take(device: string, text: string): void {
    if (text.length > LONGEST_TEXT) {
      ignored.tooLong += 1;
      return;
    }
    const message = parsed(text);
    if (message === undefined) {
      ignored.notJson += 1;
      return;
    }
    let isUnderstood = false;
    for (const { member, address, read } of MEMBERS) {
      const value = read(message[member]);
      if (value === undefined) continue;
      isUnderstood = true;
      pushes.set(`${device} ${address.property}`, (pushes.get(`${device} ${address.property}`) ?? 0) + 1);
      void host.pushed({ device, ...address, value });
    }
    if (!isUnderstood) ignored.wrongType += 1;
  }

  function ask(device: string, { property }: PropertyAddress, given: Attempt, set?: Value): Promise<DriverResult> {
    return carryOut(given, async (attempt) => {
      const open = connection;
      if (!open || !live.has(device) || property !== "on") throw new Error("There is no such device or property.");
      const before = pushes.get(`${device} ${property}`);
      let answer: PlugAnswer | undefined;
      const gate = new Gate(clock);
      asking.add(gate);
      attempt
        .touch(() => open.ask(device, set))
        .then((reply) => {
          answer = reply;
          gate.open();
        });
      await gate.wait(attempt);
      asking.delete(gate);
      if (set === undefined && pushes.get(`${device} ${property}`) !== before)
        return { unknown: "The plug changed while it was read." };
      return answer ?? { unknown: "The plug did not answer." };
    });
  }

  return {
    name: "push",
    has: (edgeId) => live.has(edgeId),
    read: (device, address, attempt) => ask(device, address, attempt),
    write: (device, address, value, attempt) => ask(device, address, attempt, value),
    status: () => ({ line: "bus", ignored: { ...ignored } }),
    [Symbol.asyncDispose]: async () => {
      ending.abort();
      await ended;
    },
  };
}

function described({ service, index, property }: PropertyAddress, access: readonly Access[]): ServiceDescription {
  const standard = standardProperty(service, property);
  return { service, index, properties: standard ? [{ ...standard, access }] : [] };
}

function parsed(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const json = parseRawJson(text);
    return isRecord(json) ? json : undefined;
  } catch {
    return undefined;
  }
}
