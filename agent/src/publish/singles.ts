/** The entity of a single property, chosen by its type and its access. */
import { type DescribedProperty, standardProperty } from "@porchlight/shared/model";
import type { Entity, NoEntity } from "./discovery-configs.ts";
import { nameOf, objectOf, STANDARD_DETECTIONS, STANDARD_READINGS } from "./entity-names.ts";
import type { PropertyTopics } from "./topics.ts";

type Made = Omit<Entity, "object" | "name" | "isMain"> & { readonly isMain?: boolean };

/** A range that no value reaches, for numbers without bounds. */
const FAR = 1_000_000_000;
/** The finest step of Home Assistant, and the step of numbers without one. */
const FINEST_STEP = 0.001;
const USUAL_STEP = 0.01;
/** Longest state that Home Assistant stores, characters. */
const LONGEST_STATE = 255;

/** The entity of a property, or the reason why it has none. Never throws. */
export function single(property: DescribedProperty, of: PropertyTopics): Entity | NoEntity {
  const made = madeOf(property, of);
  if (typeof made === "string") return made;
  return { isMain: false, ...made, object: objectOf(property), name: nameOf(property) };
}

function madeOf(property: DescribedProperty, of: PropertyTopics): Made | NoEntity {
  const { description, writable, readable } = property;
  if (description.type === "json") return "json";
  if (writable) return settable(property, of);
  return readable ? reading(property, of) : event(property, of);
}

function settable(property: DescribedProperty, of: PropertyTopics): Made | NoEntity {
  const { type, values } = property.description;
  if (type === "boolean") return truthSetting(property, of);
  if (values !== undefined) return select(property, of);
  return type === "string" ? text(property, of) : number(property, of);
}

/** The entity of a writable boolean: a standard switch is a main control; any other is a setting of its device. */
function truthSetting(property: DescribedProperty, of: PropertyTopics): Made {
  const { service, readable, description } = property;
  const isIdentify = service === "Identify";
  const onlyTrue = description.values?.length === 1 && description.values[0] === true;
  if (isIdentify || (onlyTrue && !readable)) {
    const options = { command_topic: of.set(property), payload_press: TRUE, ...category(property) };
    return { component: "button", options: { ...options, ...(isIdentify ? { device_class: "identify" } : {}) } };
  }
  const isSwitch = service === "Switch" && property.property === "on";
  const options = { ...topics(of, property), payload_on: TRUE, payload_off: FALSE };
  return { component: "switch", isMain: isSwitch, options: { ...options, ...(isSwitch ? {} : category(property)) } };
}

function select(property: DescribedProperty, of: PropertyTopics): Made | NoEntity {
  const options = wordsOf(property);
  if (options.length === 0) return "noChoice";
  return { component: "select", options: { ...topics(of, property), options, ...category(property) } };
}

function text(property: DescribedProperty, of: PropertyTopics): Made {
  const shown = property.readable ? { value_template: SHORTENED } : {};
  return {
    component: "text",
    options: { ...topics(of, property), ...shown, max: LONGEST_STATE, ...category(property) },
  };
}

/** A range without extent leaves nothing to set: then the number is shown, if it can be read. */
function number(property: DescribedProperty, of: PropertyTopics): Made | NoEntity {
  const { type, min = -FAR, max = FAR, step, unit } = property.description;
  if (min >= max) return property.readable ? reading(property, of) : "noRange";
  return {
    component: "number",
    options: {
      ...topics(of, property),
      min,
      max,
      step: Math.max(FINEST_STEP, step ?? (type === "integer" ? 1 : USUAL_STEP)),
      ...(unit === undefined ? {} : { unit_of_measurement: unit }),
      ...(min === -FAR || max === FAR ? { mode: "box" } : {}),
      ...category(property),
    },
  };
}

/** A property of a standard class is a function of the device; any other is a setting. */
function category({ service, property }: DescribedProperty): { readonly entity_category?: string } {
  return standardProperty(service, property) && service !== "Identify" ? {} : { entity_category: "config" };
}

function reading(property: DescribedProperty, of: PropertyTopics): Made {
  const { type, values } = property.description;
  const state_topic = of.state(property);
  if (type === "boolean") return detection(property, state_topic);
  if (type !== "string") return measurement(property, state_topic);
  const words = wordsOf(property);
  if (values === undefined || words.length === 0)
    return { component: "sensor", options: { state_topic, value_template: SHORTENED } };
  return { component: "sensor", options: { state_topic, device_class: "enum", options: words } };
}

const SHORTENED = `{{ value[:${LONGEST_STATE}] }}`;

function detection({ service, property }: DescribedProperty, state_topic: string): Made {
  const standard = STANDARD_DETECTIONS.get(`${service}.${property}`);
  const [payload_on, payload_off] = standard?.isInverted ? [FALSE, TRUE] : [TRUE, FALSE];
  const options = { state_topic, payload_on, payload_off };
  if (!standard) return { component: "binary_sensor", options };
  return {
    component: "binary_sensor",
    options: {
      ...options,
      device_class: standard.deviceClass,
      ...(standard.isDiagnostic ? { entity_category: "diagnostic" } : {}),
    },
  };
}

/** The entity of a numeric reading; it gets a device class only with that class's unit. */
function measurement({ service, property, description }: DescribedProperty, state_topic: string): Made {
  const usual = standardProperty(service, property)?.unit;
  const unit = description.unit ?? usual;
  const reading = unit === usual ? STANDARD_READINGS.get(`${service}.${property}`) : undefined;
  return {
    component: "sensor",
    options: {
      state_topic,
      ...(unit === undefined ? {} : { unit_of_measurement: unit }),
      ...(reading ? { device_class: reading.deviceClass } : {}),
      ...(reading?.isDiagnostic ? { entity_category: "diagnostic" } : {}),
      state_class: reading?.isTotal ? "total_increasing" : "measurement",
    },
  };
}

/** A notify-only property becomes an event with its values as types. */
function event(property: DescribedProperty, of: PropertyTopics): Made | NoEntity {
  const types = property.description.type === "boolean" ? [TRUE, FALSE] : wordsOf(property);
  if (types.length === 0) return "eventWithoutValues";
  return {
    component: "event",
    options: {
      state_topic: of.state(property),
      event_types: types,
      value_template: '{{ {"event_type": value} | tojson }}',
      ...(property.service === "Button" ? { device_class: "button" } : {}),
    },
  };
}

/** The payloads of a boolean. */
export const TRUE = "true";
export const FALSE = "false";

/** The topics of a property under Home Assistant's option names; topics that the property does not support are left out. */
export function topics(
  of: PropertyTopics,
  property: DescribedProperty | undefined,
  { state = "state_topic", command = "command_topic" } = {},
): Readonly<Record<string, string>> {
  if (!property) return {};
  return {
    ...(property.readable ? { [state]: of.state(property) } : {}),
    ...(property.writable ? { [command]: of.set(property) } : {}),
  };
}

/** The template that rounds a property to whole numbers; none where it has whole numbers only. */
export function wholeNumber(property: DescribedProperty | undefined, option: string): Readonly<Record<string, string>> {
  if (!property?.readable || property.description.type === "integer") return {};
  return { [option]: "{{ value if value == 'None' else value | float | round | int }}" };
}

/** The values of a description as words, without duplicates; empty values cannot be chosen. */
export function wordsOf({ description: { values = [] } }: DescribedProperty): readonly string[] {
  return [...new Set(values.map(String))].filter((word) => word !== "");
}
