/** Section 4, DESCRIPTION: whether a node's descriptions are valid, and whether its devices match them. */
import { isName, standardProperty, type Value, valuesEqual } from "@porchlight/shared/model";
import { decodeServices, ERROR_CODE, type MessageOf, PROPERTY_KEYS } from "@porchlight/shared/wire";
import type { DeclaredDevice, NodeBench } from "../node-bench.ts";
import { Broken, type Rule } from "../rule.ts";
import { keyOrder } from "../shapes.ts";
import {
  anyPlace,
  anyTarget,
  badValues,
  canRead,
  canWrite,
  isStandard,
  readOf,
  type Target,
  targets,
  writeOf,
} from "../targets.ts";

type WireMap = { readonly [key: string]: Value };
type Entry = { readonly device: DeclaredDevice; readonly service: WireMap };

const isMap = (value: Value | undefined): value is WireMap =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isShort = (value: Value | undefined, most: number) => typeof value === "string" && [...value].length <= most;

const needsDevices = (bench: NodeBench) =>
  bench.hello?.devices.every((edgeId) => edgeId === null) ? "The node has no device." : undefined;

/** Every service entry of every DESCRIPTION. @throws Broken when an entry is not a map */
function entries(bench: NodeBench): Entry[] {
  return bench.devices.flatMap((device) =>
    device.parts.flatMap(({ services }) =>
      services.map((service) => {
        if (!isMap(service)) throw new Broken(`A service of place ${device.place} is not a map.`);
        return { device, service };
      }),
    ),
  );
}

function properties(bench: NodeBench): { service: WireMap; property: Value }[] {
  return entries(bench).flatMap(({ service }) =>
    Array.isArray(service.p) ? (service.p as Value[]).map((property) => ({ service, property })) : [],
  );
}

/** @throws Broken when there is an additional part, or a part differs when it is requested again */
async function isAllOfIt(bench: NodeBench, place: number, parts: readonly MessageOf<"DESCRIPTION">[]): Promise<void> {
  const beyond = { type: "DESCRIBE", seq: bench.newSeq(), device: place, part: parts.length } as const;
  const from = bench.log.end;
  const more = await bench.ask(beyond);
  if (more?.type === "DESCRIPTION")
    throw new Broken(`Place ${place} has more than its stated ${parts.length} parts.`, bench.log.since(from));
  const stated = (all: readonly MessageOf<"DESCRIPTION">[]) => JSON.stringify(all.map((part) => ({ ...part, seq: 0 })));
  for (let time = 0; time < 2; time++)
    if (stated(await bench.describe(place)) !== stated(parts))
      throw new Broken(
        `The description of place ${place} is different when it is requested again.`,
        bench.log.since(from),
      );
}

const nameOf = (property: Value) => (isMap(property) ? property.n : property);

export const DESCRIPTIONS: readonly Rule<NodeBench>[] = [
  {
    id: "D1",
    looksAt: "the form of every described service",
    applies: needsDevices,
    async run(bench) {
      for (const { service } of entries(bench)) {
        const isService = typeof service.s === "string" && Number.isSafeInteger(service.i) && Array.isArray(service.p);
        if (!isService) throw new Broken(`${JSON.stringify(service).slice(0, 200)} is not a service {s, i, p}.`);
        for (const { what } of keyOrder(`${service.s}`, service, ["s", "i", "p"])) bench.blame("C3", what, []);
      }
      return `${entries(bench).length} services`;
    },
  },
  {
    id: "D2",
    looksAt:
      "the form of every described property, and whether properties of custom classes can be read and written as described",
    applies: needsDevices,
    async run(bench) {
      for (const { service, property } of properties(bench)) propertyShape(bench, service, property);
      await bench.live();
      for (const target of targets(bench, (each) => !isStandard(each))) await keepsAccess(bench, target);
      return undefined;
    },
  },
  {
    id: "D3",
    looksAt: "whether standard properties can be read and written as in the catalogue",
    async run(bench) {
      anyTarget(bench, isStandard, "The node has no standard property.");
      await bench.live();
      for (const target of targets(bench, isStandard)) await keepsAccess(bench, target);
      return undefined;
    },
  },
  {
    id: "D4",
    looksAt: "the parts of every description, requested twice",
    applies: needsDevices,
    async run(bench) {
      await bench.live();
      for (const [place, edgeId] of (bench.hello?.devices ?? []).entries()) {
        if (edgeId === null) continue;
        const from = bench.log.end;
        const parts = await bench.describe(place);
        const count = parts[0]?.parts ?? 0;
        const isWhole =
          count > 0 && parts.length === count && parts.every((part, at) => isPart(part, place, at, count));
        if (!isWhole)
          throw new Broken(
            `The description of place ${place} is not complete, in parts from 0.`,
            bench.log.since(from),
          );
        await isAllOfIt(bench, place, parts);
      }
      return undefined;
    },
  },
  {
    id: "D5",
    looksAt: "what every device states about itself",
    applies: needsDevices,
    async run(bench) {
      for (const { place, parts } of bench.devices) {
        for (const [key, stated] of Object.entries(parts[0]?.about ?? {}))
          if (["mf", "mo", "fw", "sn", "nm"].includes(key) && !isShort(stated, 64))
            throw new Broken(`about.${key} of place ${place} is not a text of at most 64 characters.`);
      }
      return undefined;
    },
  },
  {
    id: "D6",
    looksAt: "the bounds of descriptions, names, units and texts",
    applies: needsDevices,
    async run(bench) {
      for (const { place, parts, services } of bench.devices) {
        if (parts.length > 64) throw new Broken(`The description of place ${place} has more than 64 parts.`);
        if (services.length > 64) throw new Broken(`Place ${place} has more than 64 services.`);
      }
      for (const { service, property } of properties(bench)) {
        const name = nameOf(property);
        const isNamed = typeof name === "string" && isName(name) && typeof service.s === "string" && isName(service.s);
        if (!isNamed) throw new Broken(`${JSON.stringify(service.s)}.${JSON.stringify(name)} is not a valid name.`);
        if (isMap(property) && property.u !== undefined && !isShort(property.u, 16))
          throw new Broken(`The unit of ${name} is too long.`);
      }
      return undefined;
    },
  },
  {
    id: "D7",
    looksAt: "descriptions that contradict themselves",
    applies: needsDevices,
    async run(bench) {
      const problems = bench.devices.flatMap((device) => decodeServices(device.parts.map(withAbout)).problems);
      if (problems[0] !== undefined) throw new Broken(`A hub ignores: ${problems.join("; ")}.`);
      return undefined;
    },
  },
  {
    id: "D8",
    looksAt: "whether Identify is not described, and IDENTIFY is answered",
    applies: needsDevices,
    async run(bench) {
      if (entries(bench).some(({ service }) => service.s === "Identify"))
        throw new Broken("The node describes Identify; it must not.");
      await bench.live();
      for (const seconds of [1, 0])
        await bench.expect({ type: "IDENTIFY", seq: bench.newSeq(), device: anyPlace(bench), seconds }, "ACK");
      return undefined;
    },
  },
  {
    id: "V4",
    looksAt: "the type of every readable value",
    async run(bench) {
      anyTarget(bench, canRead, "Nothing can be read.");
      await bench.live();
      for (const target of targets(bench, canRead)) {
        const from = bench.log.end;
        const answer = await bench.ask(readOf(target, bench.newSeq()));
        if (answer?.type !== "VALUE" || answer.value === null) continue;
        const { type } = target.description;
        if (!hasDescribedType(type, answer.value))
          throw new Broken(
            `${target.property} is described as ${type}; its value is ${JSON.stringify(answer.value)}.`,
            bench.log.since(from),
          );
      }
      return undefined;
    },
  },
];

const withAbout = ({ services, about }: MessageOf<"DESCRIPTION">) => ({ services, about: about ?? {} });

function isPart(part: MessageOf<"DESCRIPTION">, place: number, at: number, count: number): boolean {
  return part.device === place && part.part === at && part.parts === count;
}

/** @throws Broken */
function propertyShape(bench: NodeBench, service: WireMap, property: Value): void {
  const standard = standardProperty(String(service.s), String(nameOf(property)));
  const name = `${String(service.s)}.${String(nameOf(property))}`;
  if (typeof property === "string") {
    if (!standard) throw new Broken(`${name} is described by its name only, but it is not in the catalogue.`);
    return;
  }
  if (!isMap(property)) throw new Broken(`A property of ${String(service.s)} is neither a text nor a map.`);
  for (const { what } of keyOrder(name, property, Object.values(PROPERTY_KEYS))) bench.blame("C3", what, []);
  const isAccess = Number.isSafeInteger(property.a) && Number(property.a) >= 1 && Number(property.a) <= 7;
  const isType = ["boolean", "integer", "number", "string", "json"].includes(String(property.t));
  if (typeof property.n !== "string" || !isType || !isAccess)
    throw new Broken(`${name} has no valid n, t or a: ${JSON.stringify(property)}.`);
  if (!standard) return;
  const [described] = decodeServices([{ services: [{ ...service, p: [property] }], about: {} }]).services;
  const same = described?.properties[0];
  if (same && valuesEqual(JSON.parse(JSON.stringify(same)), JSON.parse(JSON.stringify(standard))))
    throw new Broken(`${name} is exactly as in the catalogue: it must be described by its name only.`);
}

/** @throws Broken when its access differs from the description */
async function keepsAccess(bench: NodeBench, target: Target): Promise<void> {
  const name = `${target.service}.${target.property}`;
  if (canRead(target)) {
    const from = bench.log.end;
    const answer = await bench.ask(readOf(target, bench.newSeq()));
    const isUnreadable =
      answer?.type === "ERROR" && answer.code !== ERROR_CODE.hardwareFailure && answer.code !== ERROR_CODE.busy;
    if (!answer || isUnreadable)
      throw new Broken(
        `${name} is described as readable, but READ was not answered with its value.`,
        bench.log.since(from),
      );
  } else {
    const read = readOf(target, bench.newSeq());
    await bench.expectError(read, read.seq, ERROR_CODE.notReadable, `A READ of ${name}, which is not readable,`);
  }
  if (canWrite(target)) {
    // A rejected value shows that the property is writable, and changes nothing.
    const [bad] = badValues(target.description);
    if (!bad) return;
    const write = writeOf(target, bench.newSeq(), bad.value);
    const answer = await bench.ask(write);
    const isClosed = answer?.type === "ERROR" && answer.code === ERROR_CODE.notWritable;
    if (isClosed) throw new Broken(`${name} is described as writable, but WRITE was answered with ERROR 7.`);
    return;
  }
  const write = writeOf(target, bench.newSeq(), goodValue(target));
  await bench.expectError(write, write.seq, ERROR_CODE.notWritable, `A WRITE of ${name}, which is not writable,`);
}

function goodValue({ description: { type, min, values } }: Target): Value {
  return values?.[0] ?? (type === "boolean" ? true : type === "string" ? "a" : type === "json" ? {} : (min ?? 0));
}

function hasDescribedType(type: string, value: Value): boolean {
  if (type === "json") return true;
  if (type === "integer") return Number.isSafeInteger(value);
  return typeof value === type;
}
