/** Reads and writes of one live device with the semantics of the API: permission, waits, and results. */
import {
  type Attempt,
  acceptedValue,
  allows,
  type DriverResult,
  Gate,
  notApplied,
  rejected,
  unknownOutcome,
  valueResult,
  worthOf,
} from "@porchlight/driver-kit";
import type { Clock } from "@porchlight/shared/kernel";
import { addressKey, type PropertyAddress, type Value } from "@porchlight/shared/model";
import { errorVerdict, wireAddress } from "@porchlight/shared/wire";
import type { ExchangeEnd } from "../exchange/exchange-state.ts";
import type { Ask } from "../exchange/request-queue.ts";
import { failureOfRequest, wrongTypeResult } from "../exchange/results.ts";
import type { LineCounters } from "../line/line-counters.ts";
import { type DescribedProperty, IDENTIFY } from "./described-device.ts";
import type { DeviceLife, Seated } from "./device-life.ts";
import { IDENTIFY_SECONDS } from "./identify.ts";
import { type OvertakenWatch, READS_AGAIN } from "./statements.ts";

export interface CommandDeps {
  readonly clock: Clock;
  readonly counters: LineCounters;
}

const NOT_HERE = notApplied("The device is not connected.");
const NOT_READY = notApplied("The hub could not read the description of the device in time.");
const IN_DOUBT = notApplied("The device does not report the result of an earlier write.");
const NO_PROPERTY = notApplied("The device no longer describes this property.");
const OVERTAKEN = unknownOutcome("The property changed each time the hub read it.");

/** Reads a property from the device. DP5, "Requests". */
export async function readProperty(
  life: DeviceLife,
  address: PropertyAddress,
  attempt: Attempt,
  deps: CommandDeps,
): Promise<DriverResult> {
  if (isIdentify(address)) return life.isLive ? valueResult(life.identify.isActive) : NOT_HERE;
  let readsAgain = 0;
  return asked(life, attempt, deps, ({ place }) => {
    const property = life.described?.find(address.service, address.index, address.property);
    if (!property) return NO_PROPERTY;
    if (!allows(property.description, "read")) return rejected("The property cannot be read.");
    const wire = wireAddress(place, address);
    const watch = life.statements.watch(addressKey(address));
    return {
      ask: { make: (seq) => ({ type: "READ", seq, ...wire }), answer: "VALUE", attempt, watch },
      end: (end) => {
        if (!watch.isOvertaken) return resultOf(life, property, end, deps);
        if (readsAgain++ < READS_AGAIN) return "again";
        life.unread(property.address);
        return OVERTAKEN;
      },
    };
  });
}

/** Writes a property; returns the value that the device reports afterwards. DP5, "Requests" and "Repetitions". */
export async function writeProperty(
  life: DeviceLife,
  address: PropertyAddress,
  value: Value,
  attempt: Attempt,
  deps: CommandDeps,
): Promise<DriverResult> {
  if (isIdentify(address)) return identify(life, value, attempt, deps);
  return asked(life, attempt, deps, ({ place }) => {
    const property = life.described?.find(address.service, address.index, address.property);
    if (!property) return NO_PROPERTY;
    if (!allows(property.description, "write")) return rejected("The property cannot be set.");
    const wire = wireAddress(place, address);
    const watch = life.statements.watch(addressKey(address));
    return {
      ask: { make: (seq) => ({ type: "WRITE", seq, ...wire, value }), answer: "WRITTEN", acts: true, attempt, watch },
      end: (end) => {
        doubtAfter(life, property, end);
        readAfter(life, property, end, watch);
        return resultOf(life, property, end, deps);
      },
      firstFind: property,
    };
  });
}

/** DP5, "Devices": `active: true` lasts 30 s. */
function identify(life: DeviceLife, value: Value, attempt: Attempt, deps: CommandDeps): Promise<DriverResult> {
  if (typeof value !== "boolean") return Promise.resolve(rejected("`Identify.active` is true or false."));
  const seconds = value ? IDENTIFY_SECONDS : 0;
  return asked(life, attempt, deps, () => ({
    ask: {
      make: (seq) => ({ type: "IDENTIFY", seq, device: life.seated.place, seconds }),
      answer: "ACK",
      acts: true,
      attempt,
    },
    end: (end) => {
      if (end.kind !== "answered") return failureOfRequest(end);
      life.identify.set(value);
      return valueResult(value);
    },
  }));
}

interface Prepared {
  readonly ask: Ask;
  /** `again`: the answer may be older than the known value. */
  readonly end: (end: ExchangeEnd) => DriverResult | "again";
  /** The property that is read first when an earlier write has left its value unknown. */
  readonly firstFind?: DescribedProperty;
}

/** Waits until the device is ready, sends the request, and sends it again when the node rebooted before any byte of it had left. */
async function asked(
  life: DeviceLife,
  attempt: Attempt,
  deps: CommandDeps,
  prepare: (seated: Seated) => Prepared | DriverResult,
): Promise<DriverResult> {
  for (;;) {
    if (life.isLive && !life.ready.isOpen) {
      await life.ready.wait(attempt);
      if (life.isLive && !life.ready.isOpen) return NOT_READY;
    }
    if (!life.isLive) return NOT_HERE;
    const { exchanges } = life.seated;
    const prepared = prepare(life.seated);
    if ("kind" in prepared) return prepared;
    if (prepared.firstFind && isInDoubt(life, prepared.firstFind)) {
      await within(attempt, deps.clock, life.find(prepared.firstFind));
      if (isInDoubt(life, prepared.firstFind)) return IN_DOUBT;
      continue;
    }
    const end = await exchanges.request(prepared.ask);
    if (end.kind === "lost" && !end.sent) continue;
    const result = prepared.end(end);
    if (result === "again") continue;
    // The device does not match its description: it is described again before the result is returned, as long as there is time.
    if (end.kind === "error" && errorVerdict(end.code).describeAfresh)
      await within(attempt, deps.clock, life.describeAgain());
    return result;
  }
}

/** Waits for `what`, which never rejects, as long as the attempt has time. */
async function within(attempt: Attempt, clock: Clock, what: Promise<unknown>): Promise<void> {
  const done = new Gate(clock);
  void what.finally(() => done.open());
  await done.wait(attempt);
}

function resultOf(
  life: DeviceLife,
  property: DescribedProperty,
  end: ExchangeEnd,
  { counters }: CommandDeps,
): DriverResult {
  if (end.kind !== "answered") return failureOfRequest(end);
  const { message } = end;
  const value = message.type === "VALUE" || message.type === "WRITTEN" ? message.value : undefined;
  const worth = value === undefined ? "wrong_type" : worthOf(property.description, value);
  if (value === undefined || worth === "wrong_type") {
    counters.wrongType += 1;
    life.valueless(property.address);
    return wrongTypeResult();
  }
  if (worth === "out_of_range") counters.outOfRange += 1;
  if (isInDoubt(life, property)) life.uncertain.delete(addressKey(property.address));
  return valueResult(acceptedValue(property.address, property.description, value));
}

/**
 * After a WRITE that may have acted without an answer, the property is read before it is used again: at once, and again before the next
 * write.
 */
function doubtAfter(life: DeviceLife, property: DescribedProperty, end: ExchangeEnd): void {
  const mayHaveActed = end.kind === "silence" || ("sent" in end && end.sent);
  if (!mayHaveActed || !allows(property.description, "read")) return;
  life.uncertain.add(addressKey(property.address));
  life.statements.add(addressKey(property.address));
  if (end.kind !== "lost") void life.find(property);
}

/**
 * Reads the property after a WRITE whose answer may be outdated: a node's remembered result (R2) is as old as the execution, and an
 * overtaken WRITTEN may be older than a report. B8, B9.
 */
function readAfter(life: DeviceLife, property: DescribedProperty, end: ExchangeEnd, watch: OvertakenWatch): void {
  if (end.kind !== "answered" || !(end.repeated || watch.isOvertaken)) return;
  if (allows(property.description, "read")) void life.find(property);
}

function isInDoubt(life: DeviceLife, { address }: DescribedProperty): boolean {
  return life.uncertain.size > 0 && life.uncertain.has(addressKey(address));
}

function isIdentify({ service, index, property }: PropertyAddress): boolean {
  return service === IDENTIFY.service && index === IDENTIFY.index && property === IDENTIFY.property;
}
