/** Completes the description of a virtual device from the catalogue (A2.1): pure, every fault with its place in the body. */
import type { NewProperty, NewService } from "@porchlight/shared/api";
import { type FieldProblem, NamedError } from "@porchlight/shared/kernel";
import {
  type Access,
  CATALOGUE,
  hasType,
  LIMIT_NAMES,
  type PropertyDescription,
  propertyShape,
  type ServiceDescription,
  standardProperty,
  type Value,
  valueProblem,
} from "@porchlight/shared/model";
import { z } from "zod";

export interface InitialValue {
  /** `SERVICE:INDEX.PROPERTY`. */
  readonly key: string;
  readonly value: Value;
}

export interface Completed {
  readonly description: readonly ServiceDescription[];
  readonly values: readonly InitialValue[];
}

/** Maximum properties of one device: its initial values are stored in one job. */
const MOST_PROPERTIES = 512;
/** The fields of the request that describe a property, in the order in which they are stored and answered. */
const propertySchema = z.object(propertyShape);
/** `min`, `max` or `step`. */
const LIMITS_IN_WORDS = new Intl.ListFormat("en-GB", { type: "disjunction" }).format(
  LIMIT_NAMES.map((name) => `\`${name}\``),
);
const DEFAULT_ACCESS: readonly Access[] = ["read", "notify"];

/** @throws "Body Parameters Invalid", "Property Value Invalid" */
export function completeDescription(services: readonly NewService[]): Completed {
  const problems: FieldProblem[] = [];
  const values: InitialValue[] = [];
  const seen = new Set<string>();
  let count = 0;
  const description = services.map((given, at): ServiceDescription => {
    const { service, index } = given;
    const pointer = `/services/${at}`;
    if (seen.has(`${service}:${index}`))
      problems.push({ pointer, message: `names ${service} with the index ${index} a second time` });
    seen.add(`${service}:${index}`);
    const names = new Set<string>();
    const properties = propertiesOf(given, problems, pointer).map((each, place) => {
      const where = `${pointer}/properties/${place}`;
      if (names.has(each.property)) problems.push({ pointer: where, message: `names ${each.property} a second time` });
      names.add(each.property);
      const property = completeProperty(service, each, problems, where);
      if (each.value !== undefined) {
        requireValue(property, each.value, `${where}/value`, problems);
        values.push({ key: `${service}:${index}.${each.property}`, value: each.value });
      }
      return property;
    });
    count += properties.length;
    return { service, index, properties };
  });
  if (count > MOST_PROPERTIES)
    problems.push({
      pointer: "/services",
      message: `has ${count} properties; a device has at most ${MOST_PROPERTIES}`,
    });
  const [first] = problems;
  if (first)
    throw new NamedError("Body Parameters Invalid", `\`${first.pointer}\` ${first.message}.`, { errors: problems });
  return { description, values };
}

/** The given properties; a name alone selects the standard property, a class without properties selects all of its own. */
function propertiesOf({ service, properties }: NewService, problems: FieldProblem[], pointer: string): NewProperty[] {
  if (properties) return properties.map((each) => (typeof each === "string" ? { property: each } : each));
  const standard = CATALOGUE.get(service);
  if (!standard)
    problems.push({ pointer: `${pointer}/properties`, message: `is missing: ${service} is not a standard class` });
  return (standard ?? []).map(({ property }) => ({ property }));
}

function completeProperty(
  service: string,
  given: NewProperty,
  problems: FieldProblem[],
  pointer: string,
): PropertyDescription {
  const standard = standardProperty(service, given.property);
  const type = given.type ?? standard?.type;
  if (type === undefined) {
    problems.push({
      pointer: `${pointer}/type`,
      message: `is missing: ${service}.${given.property} is not a standard property`,
    });
    return { property: given.property, type: "json", access: DEFAULT_ACCESS };
  }
  if (standard && type !== standard.type && !(type === "integer" && standard.type === "number"))
    problems.push({ pointer: `${pointer}/type`, message: `is ${standard.type} for ${service}.${given.property}` });
  const access = [...new Set(given.access ?? standard?.access ?? DEFAULT_ACCESS)];
  const property: PropertyDescription = propertySchema.parse({ ...standard, ...given, type, access });
  problems.push(...rangeProblems(property, pointer));
  return property;
}

/** The problems of a range that no value can satisfy. */
function rangeProblems(property: PropertyDescription, pointer: string): FieldProblem[] {
  const { type, min, max, values, access } = property;
  const problems: FieldProblem[] = [];
  const isNumber = type === "number" || type === "integer";
  if (!isNumber && LIMIT_NAMES.some((name) => property[name] !== undefined))
    problems.push({ pointer, message: `has ${LIMITS_IN_WORDS}, which a ${type} cannot have` });
  if (min !== undefined && max !== undefined && min > max)
    problems.push({ pointer: `${pointer}/min`, message: "is larger than `max`" });
  if (values && !values.every((value) => hasType({ property: "", type, access }, value)))
    problems.push({ pointer: `${pointer}/values`, message: `has a value that is not of type ${type}` });
  return problems;
}

/** @throws "Property Value Invalid" */
function requireValue(
  property: PropertyDescription,
  value: Value,
  pointer: string,
  problems: readonly FieldProblem[],
): void {
  // Reports the problems of the description before that of the value.
  const problem = problems.length === 0 ? valueProblem(property, value) : undefined;
  if (problem) throw new NamedError("Property Value Invalid", problem, { errors: [{ pointer, message: problem }] });
}
