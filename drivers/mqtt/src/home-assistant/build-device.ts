/** Builds a device from its entities: their properties, its availability, and the parts of them that are ignored. */
import type { Work } from "@porchlight/driver-kit";
import type { ThingAddresses } from "../device/kept-things.ts";
import type { MqttCondition, MqttDevice, Publication } from "../device/mqtt-device.ts";
import { addressParts, type EntityName, nameOfEntity } from "./address-parts.ts";
import { COMPONENTS, DEVICE_AUTOMATION, LEFT_ASIDE, triggerButtons } from "./components/index.ts";
import { deviceAvailability } from "./device-availability.ts";
import { aboutOf, type EntityGroup } from "./device-identity.ts";
import type { DescribedEntity } from "./discovery-payload.ts";
import { EntityOptions, Notes } from "./entity-options.ts";
import type { Part } from "./entity-parts.ts";

/** Maximum number of entities that are read for one device: more than 64 services of 64 properties are never described. */
const MOST_ENTITIES = 1024;
/** Steps for an entity, in addition to its templates. */
const STEPS_OF_ENTITY = 5;
/** Number of characters of templates that are compiled in one step. */
const CHARACTERS_OF_STEP = 20;

export interface BuiltDevice {
  readonly device: MqttDevice;
  /** Sentences that name the topic. */
  readonly problems: readonly string[];
}

/** Builds the device in slices of entities. */
export function* buildDevice(
  { edgeId, identity, entities: all }: EntityGroup,
  addresses: ThingAddresses,
): Work<BuiltDevice> {
  const notes = new Notes();
  const entities = all.slice(0, MOST_ENTITIES);
  for (let each = entities.length; each < all.length; each += 1) notes.leaveAside("tooManyEntities");
  const triggers = entities.filter(({ component }) => component === DEVICE_AUTOMATION);
  const others = entities.filter(({ component }) => component !== DEVICE_AUTOMATION);
  const { ofDevice, ofEntity } = deviceAvailability(others, notes);
  const named: { readonly name: EntityName; readonly parts: readonly Part[] }[] = [];
  for (const entity of others) {
    const own = ofEntity(entity);
    const parts = partsOf(entity, notes);
    named.push({ name: nameOfEntity(entity), parts: own ? parts.map((part) => withAvailability(part, own)) : parts });
    yield STEPS_OF_ENTITY + textOf(entity) / CHARACTERS_OF_STEP;
  }
  const buttons = triggerButtons(triggers.map((entity) => new EntityOptions(entity, notes)));
  const identify = named.flatMap(({ parts }) => parts).find(isIdentify);
  const { properties, keepAddresses, tooMany } = addressParts(
    { edgeId, identity },
    [
      ...named.map(({ name, parts }) => ({ name, parts: parts.filter((part) => !isIdentify(part)) })),
      ...buttons.map(({ button, topic, parts }) => ({
        name: { own: `trigger ${button}`, at: `trigger ${topic}` },
        parts,
      })),
    ],
    addresses,
  );
  for (let each = 0; each < tooMany; each += 1) notes.leaveAside("tooManyProperties");
  const device: MqttDevice = {
    edgeId,
    identity,
    about: aboutOf(entities),
    ...{ properties, keepAddresses },
    availability: ofDevice,
    isSensitive: entities.some(isSensitive),
    identify: identify && publicationOf(identify),
    leftAside: notes.counts,
  };
  return { device, problems: notes.problems };
}

/** Number of characters of its options, most of which are templates. */
function textOf({ options }: DescribedEntity): number {
  let length = 0;
  for (const value of options.values()) if (typeof value === "string") length += value.length;
  return length;
}

function partsOf(entity: DescribedEntity, notes: Notes): readonly Part[] {
  const component = COMPONENTS.get(entity.component);
  if (component) return component(new EntityOptions(entity, notes));
  notes.leaveAside(LEFT_ASIDE.has(entity.component) ? entity.component : "unknownComponent");
  return [];
}

function withAvailability(part: Part, own: MqttCondition): Part {
  const { state } = part;
  return state ? { ...part, state: { ...state, holds: [...(state.holds ?? []), own] } } : part;
}

/** Whether an entity makes its device sensitive. Locks and valves do so by their class, without this check. */
function isSensitive({ component, options }: DescribedEntity): boolean {
  if (component === "siren" || component === "alarm_control_panel") return true;
  return component === "cover" && SENSITIVE_COVERS.has(options.get("device_class"));
}

/** Classes of covers that can let a person in, or cause injury. */
const SENSITIVE_COVERS: ReadonlySet<unknown> = new Set(["door", "garage", "gate"]);

function isIdentify({ service }: Part): boolean {
  return service === "Identify";
}

/** Undefined when its template fails. */
function publicationOf({ set }: Part): Publication | undefined {
  try {
    return set?.(true, () => undefined);
  } catch {
    return undefined;
  }
}
