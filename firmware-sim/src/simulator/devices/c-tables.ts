/**
 * Generates the tables that `porchlight.c` needs from a simulated node's description, so that a range is written only once: in the
 * YAML.
 */
import type {
  Access,
  DeviceAbout,
  DeviceDescription,
  PropertyDescription,
  PropertyType,
  ServiceDescription,
} from "@porchlight/shared/model";
import { isStandard } from "@porchlight/shared/wire";
import type { NodeDefinition } from "./definition.ts";

const TYPES: Readonly<Record<PropertyType, string>> = {
  boolean: "PL_BOOLEAN",
  integer: "PL_INTEGER",
  number: "PL_NUMBER",
  string: "PL_TEXT",
  json: "PL_JSON",
};
const ACCESS: Readonly<Record<Access, string>> = { read: "PL_READ", write: "PL_WRITE", notify: "PL_NOTIFY" };

/** One C file of tables: include it after `porchlight.h`, and use it in a `pl_config` as `devices`. */
export function cTables({ edgeId, about, devices }: NodeDefinition): string {
  const count = devices.flatMap(({ services }) => services).reduce((sum, { properties }) => sum + properties.length, 0);
  const isBridge = devices.length > 1;
  return [
    `/* Tables of ${edgeId}, made by porchlight-sim new --c: change the YAML, and make them again. */`,
    ...atLeast("PL_PROPERTIES_MAX", count),
    ...atLeast("PL_DEVICES_MAX", devices.length),
    "",
    ...devices.flatMap(({ services, about: own }, at) => [
      ...deviceTables(services, isBridge ? `d${at}_` : ""),
      aboutTable(isBridge ? `d${at}_about` : "device_about", own ?? {}),
      "",
    ]),
    aboutTable("node_about", about ?? {}),
    "static const pl_device devices[] = {",
    ...devices.map(({ edgeId: id, services }, at) => {
      const [prefix, own] = isBridge ? [`d${at}_`, `d${at}_about`] : ["", "device_about"];
      return `    {${text(id)}, ${prefix}services, ${services.length}, &${own}},`;
    }),
    "};",
    "",
  ].join("\n");
}

/** Makes the compiler report a limit that is too small. */
function atLeast(name: string, count: number): string[] {
  return [`#if ${name} < ${count}`, `#error "build with -D${name}=${count}"`, "#endif"];
}

function deviceTables(services: DeviceDescription, prefix: string): string[] {
  return [
    `enum { ${services.map((service) => `${prefix}${nameOf(service)}`.toUpperCase()).join(", ")} };`,
    ...services.flatMap((service) => serviceTables(service, `${prefix}${nameOf(service)}`)),
    `static const pl_service ${prefix}services[] = {`,
    ...services.map((service) => {
      const { service: name, index, properties } = service;
      return `    {${text(name)}, ${index}, ${prefix}${nameOf(service)}_properties, ${properties.length}},`;
    }),
    "};",
  ];
}

function serviceTables({ service, properties }: ServiceDescription, name: string): string[] {
  const allowed = properties.flatMap((property) => {
    const texts = allowedTexts(property);
    if (!texts) return [];
    return [
      `static const char *const ${name}_${word(property.property)}[] = {${[...texts.map(text), "NULL"].join(", ")}};`,
    ];
  });
  return [
    `enum { ${properties.map(({ property }) => `${name}_${word(property)}_at`.toUpperCase()).join(", ")} };`,
    ...allowed,
    `static const pl_property ${name}_properties[] = {`,
    ...properties.map((property) => `    ${propertyTable(service, property, name)},${remark(property)}`),
    "};",
  ];
}

function propertyTable(service: string, description: PropertyDescription, name: string): string {
  const { property, type, unit, min, max, step, access } = description;
  const isPlain = isStandard(service, description);
  const bounds = [
    ...(min === undefined ? [] : ["PL_LO"]),
    ...(max === undefined ? [] : ["PL_HI"]),
    ...(step === undefined ? [] : ["PL_STEP"]),
  ];
  const allowed = allowedTexts(description) ? `${name}_${word(property)}` : "NULL";
  const may = access.map((each) => ACCESS[each]).join(" | ") || "0";
  const fields = [
    ...[text(property), TYPES[type], may, String(isPlain)],
    ...[unit === undefined || isPlain ? "NULL" : text(unit), bounds.join(" | ") || "0"],
    ...[String(min ?? 0), String(max ?? 0), String(step ?? 0), allowed],
  ];
  return `{${fields.join(", ")}}`;
}

/** The tables can restrict only texts to a list of values. */
function allowedTexts({ values }: PropertyDescription): readonly string[] | undefined {
  const texts = values?.filter((value) => typeof value === "string");
  return values && texts?.length === values.length ? texts : undefined;
}

function remark(description: PropertyDescription): string {
  const { values } = description;
  return values && !allowedTexts(description)
    ? ` /* only ${values.join(", ").replaceAll("*/", "* /")}: yours to check */`
    : "";
}

function aboutTable(name: string, { manufacturer, model, firmware, serial, name: own }: DeviceAbout): string {
  const texts = [manufacturer, model, firmware, serial, own].map((each) => (each === undefined ? "NULL" : text(each)));
  return `static const pl_about ${name} = {${texts.join(", ")}};`;
}

/** Name of a service's tables: the class, and its index where needed to distinguish it from another. */
function nameOf({ service, index }: ServiceDescription): string {
  return index === "0" ? word(service) : `${word(service)}_${index}`;
}

/** A protocol name as a C name: `LightLevel` becomes `light_level`. */
function word(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}

/** A string literal for any content. */
function text(value: string): string {
  const bytes = [...Buffer.from(value)].map((byte) => {
    const letter = String.fromCharCode(byte);
    return /[ !#->@-[\]-~]/.test(letter) ? letter : `\\${byte.toString(8).padStart(3, "0")}`;
  });
  return `"${bytes.join("")}"`;
}
