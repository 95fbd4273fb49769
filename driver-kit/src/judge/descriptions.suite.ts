/** Group 3: a description says what the contract allows, in the catalogue's words where it has some, and what it says can be read is read. */
import {
  addressKey,
  CATALOGUE,
  type DeviceDescription,
  isName,
  type PropertyDescription,
  type ServiceDescription,
  standardProperty,
} from "@porchlight/shared/model";
import { expect, test } from "vitest";
import { Trial } from "./trial.suite.ts";
import type { JudgeOptions, OpenWorld } from "./world.suite.ts";

/** Bounds of a description (device protocol, D6). */
const MOST_SERVICES = 64;
const MOST_PROPERTIES = 64;
const LONGEST_UNIT = 16;
/** Within this time of a device's arrival the driver has read it, or has reported that it could not, ms. */
const READ_WITHIN_MS = 60_000;
/** Beside the first, where the world has more. */
const CROWD = 5;

export function judgeDescriptions(open: OpenWorld, options: JudgeOptions): void {
  const begin = () => Trial.begin(open, { ...options, crowd: options.without?.crowd === undefined ? CROWD : 0 });

  test("describes its devices within the bounds, and standard classes as the catalogue has them", async () => {
    await using one = await begin();
    const problems = one.host.arrivals.flatMap(({ description }) => descriptionProblems(description));
    expect(problems).toEqual([]);
  });

  test("has read every property that can be read within a minute, or has reported that it could not", async () => {
    await using one = await begin();
    const { host } = one;
    await one.clock.advance(READ_WITHIN_MS);
    const reported = [...host.learnings, ...host.reports.map(({ report }) => report)];
    const known = new Set(reported.map((each) => `${each.device} ${addressKey(each)}`));
    const unread = new Set(host.story.filter((line) => line.startsWith("unread ")));
    const missing = host.arrivals.flatMap(({ edgeId, description }) =>
      readable(description)
        .filter((each) => !known.has(`${edgeId} ${addressKey(each)}`))
        .filter(({ service, property }) => !unread.has(`unread ${service}.${property}`))
        .map((each) => `${edgeId} ${addressKey(each)}`),
    );
    expect(missing).toEqual([]);
  });
}

function readable(description: DeviceDescription) {
  return description.flatMap(({ service, index, properties }) =>
    properties.filter(({ access }) => access.includes("read")).map(({ property }) => ({ service, index, property })),
  );
}

/** What is wrong with a description, a sentence each. */
function descriptionProblems(description: DeviceDescription): string[] {
  const problems = description.flatMap(serviceProblems);
  const instances = description.map(({ service, index }) => `${service}:${index}`);
  if (description.length > MOST_SERVICES) problems.push(`${description.length} services`);
  if (new Set(instances).size < instances.length) problems.push(`a service twice in ${instances.join(", ")}`);
  return problems;
}

function serviceProblems({ service, index, properties }: ServiceDescription): string[] {
  const at = `${service}:${index}`;
  const problems = properties.flatMap((property) => propertyProblems(service, property).map((why) => `${at}${why}`));
  if (!isName(service)) problems.push(`${at} has no name that a service can have`);
  if (!/^(?:0|[1-9][0-9]{0,2})$/.test(index)) problems.push(`${at} has no index that a service can have`);
  if (properties.length === 0 || properties.length > MOST_PROPERTIES)
    problems.push(`${at} has ${properties.length} properties`);
  if (new Set(properties.map(({ property }) => property)).size < properties.length)
    problems.push(`${at} has a property twice`);
  return problems;
}

function propertyProblems(service: string, described: PropertyDescription): string[] {
  const { property, type, unit, access } = described;
  const problems: string[] = [];
  if (!isName(property)) problems.push(`.${property} is no name that a property can have`);
  if (access.length === 0) problems.push(`.${property} has no access`);
  if (new Set(access).size < access.length) problems.push(`.${property} has an access twice`);
  if (unit !== undefined && (unit === "" || unit.length > LONGEST_UNIT)) problems.push(`.${property}: unit "${unit}"`);
  if (!CATALOGUE.has(service)) return problems;
  const standard = standardProperty(service, property);
  if (!standard) return [...problems, `.${property} is not in the catalogue`];
  if (type !== standard.type) problems.push(`.${property} is of type ${type}, and not ${standard.type}`);
  if (unit !== standard.unit) problems.push(`.${property} has the unit ${unit}, and not ${standard.unit}`);
  // Less access where the device cannot do it, as of a light that does not say what it is; never more.
  const more = access.filter((each) => !standard.access.includes(each));
  if (more.length > 0) problems.push(`.${property} allows ${more.join(", ")}, and the catalogue does not`);
  return problems;
}
