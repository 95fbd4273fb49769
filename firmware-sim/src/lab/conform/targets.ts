/** Selects the properties of a node that a rule can use, with valid and invalid values for them. */
import {
  type PropertyDescription,
  standardProperty,
  type Value,
  valueProblem,
  valuesEqual,
} from "@porchlight/shared/model";
import type { MessageOf } from "@porchlight/shared/wire";
import type { NodeBench } from "./node-bench.ts";
import { NotApplicable } from "./rule.ts";

/** One property of one device, in wire form. */
export interface Target {
  readonly device: number;
  readonly service: string;
  readonly index: number;
  readonly property: string;
  readonly description: PropertyDescription;
}

/** A property that reads back at once what a WRITE has set, so that it shows whether a WRITE was executed. */
export interface Playground {
  readonly target: Target;
  /** Two values that it has accepted. */
  readonly values: readonly [Value, Value];
}

/** Property in which a device counts its executed requests: an aid of the protocol document, section "Conformance tests". */
const AID = { service: "Conformance", property: "acted" };

/** Every property of every device that `isWanted`. */
export function targets(bench: NodeBench, isWanted: (target: Target) => boolean = () => true): Target[] {
  return bench.devices.flatMap(({ place, services }) =>
    services.flatMap(({ service, index, properties }) =>
      properties
        .map((description) => ({
          ...{ device: place, service, index: Number(index), property: description.property },
          description,
        }))
        .filter((target) => target.service !== AID.service && isWanted(target)),
    ),
  );
}

export const canRead = ({ description }: Target) => description.access.includes("read");
export const canWrite = ({ description }: Target) => description.access.includes("write");
export const isStandard = ({ service, property }: Target) => standardProperty(service, property) !== undefined;

/** The first such property. @throws NotApplicable with what is missing */
export function anyTarget(bench: NodeBench, isWanted: (target: Target) => boolean, missing: string): Target {
  const [found] = targets(bench, isWanted);
  if (!found) throw new NotApplicable(missing);
  return found;
}

/** The first place with a device. @throws NotApplicable */
export function anyPlace(bench: NodeBench): number {
  const place = bench.hello?.devices.findIndex((edgeId) => edgeId !== null) ?? -1;
  if (place < 0) throw new NotApplicable("The node has no device.");
  return place;
}

export function readOf({ device, service, index, property }: Target, seq: number): MessageOf<"READ"> {
  return { type: "READ", seq, device, service, index, property };
}

export function writeOf(target: Target, seq: number, value: Value): MessageOf<"WRITE"> {
  return { ...readOf(target, seq), type: "WRITE", value };
}

/** Its current value; undefined when the device does not return it. */
export async function read(bench: NodeBench, target: Target): Promise<Value | undefined> {
  const answer = await bench.ask(readOf(target, bench.newSeq()));
  return answer?.type === "VALUE" ? answer.value : undefined;
}

/** A valid value that differs from `present`. */
export function otherValue(description: PropertyDescription, present: Value): Value | undefined {
  const { type, min, step, values } = description;
  if (values) return values.find((value) => !valuesEqual(value, present));
  if (type === "boolean") return present !== true;
  if (type === "string") return present === "a" ? "b" : "a";
  if (type === "json") return undefined;
  const from = typeof present === "number" ? present : (min ?? 0);
  const by = step ?? 1;
  const isGood = (value: number) => value !== present && valueProblem(description, value) === undefined;
  return [from + by, from - by, min ?? 0].find(isGood);
}

/** Invalid values with the reason; empty when every value is valid. */
export function badValues({ type, min, max, values }: PropertyDescription): { value: Value; why: string }[] {
  if (type === "json") return [];
  const bad: { value: Value; why: string }[] = [];
  const others: readonly Value[] = type === "boolean" ? [1, 0] : type === "string" ? [true] : [true, false];
  for (const value of [type === "string" ? 12 : "no such value", ...others])
    bad.push({ value, why: `not of type ${type}` });
  if (type === "integer") bad.push({ value: (min ?? 0) + 0.5, why: "not a whole number" });
  if (min !== undefined) bad.push({ value: Math.floor(min) - 1, why: `below ${min}` });
  if (max !== undefined) bad.push({ value: Math.ceil(max) + 1, why: `above ${max}` });
  if (values) bad.push({ value: type === "string" ? "no such value" : 9_999_999, why: "not an allowed value" });
  return bad;
}

/**
 * Finds a property whose value follows a WRITE at once; its value is restored after the rule.
 * @throws NotApplicable
 */
export async function playground(bench: NodeBench): Promise<Playground> {
  for (const target of targets(bench, (each) => canRead(each) && canWrite(each))) {
    const present = await read(bench, target);
    if (present === undefined) continue;
    const first = otherValue(target.description, present);
    const second = first === undefined ? undefined : otherValue(target.description, first);
    if (first === undefined || second === undefined) continue;
    remember(bench, target, present);
    if ((await follows(bench, target, second)) && (await follows(bench, target, first)))
      return { target, values: [first, second] };
  }
  throw new NotApplicable("There is no readable and writable property that has a written value at once.");
}

/** Records a value to restore. */
export function remember(bench: NodeBench, target: Target, present: Value): void {
  const key = `${target.device} ${target.service}:${target.index}.${target.property}`;
  if (present !== null && !bench.changed.has(key)) bench.changed.set(key, writeOf(target, 0, present));
}

async function follows(bench: NodeBench, target: Target, value: Value): Promise<boolean> {
  const written = await bench.ask(writeOf(target, bench.newSeq(), value));
  if (written?.type !== "WRITTEN") return false;
  const now = await read(bench, target);
  return now !== undefined && valuesEqual(now, value);
}

/** Number of WRITEs and IDENTIFYs that the device has executed, when it reports that. */
export async function acted(bench: NodeBench): Promise<number | undefined> {
  for (const { place, services } of bench.devices) {
    const service = services.find((each) => each.service === AID.service);
    if (!service) continue;
    const address = { device: place, service: AID.service, index: Number(service.index), property: AID.property };
    const answer = await bench.ask({ type: "READ", seq: bench.newSeq(), ...address });
    return answer?.type === "VALUE" && typeof answer.value === "number" ? answer.value : undefined;
  }
  return undefined;
}
