/** Checks whether a write may be sent, against the device's own description, in the contract's order (section 4). */
import { NamedError } from "../../kernel/index.ts";
import { type Described, type DescribedProperty, parseSelector, type Value, valueProblem } from "../../model/index.ts";

/** Whether a write is a report, as the sensor of a virtual device would make one, and whether its caller may report. */
export type Report = "none" | "allowed" | "refused";

/**
 * The property to write.
 * @throws "Service Not Found", "Service Property Invalid", "Property Not Writable", "Property Value Invalid"
 */
export function checkWrite(
  device: Described,
  selectorText: string,
  value: Value,
  report: Report = "none",
): DescribedProperty {
  const property = propertyNamed(device, selectorText);
  if (report === "refused")
    throw new NamedError(
      "Property Not Writable",
      "You can report values only for virtual devices, and only with an account or server token.",
    );
  if (report === "none" && !property.writable)
    throw new NamedError("Property Not Writable", `${property.key} can be read but not set.`);
  const problem = valueProblem(property.description, value);
  if (problem) throw new NamedError("Property Value Invalid", problem);
  return property;
}

/** The single property that a selector names. @throws "Service Not Found", "Service Property Invalid" */
export function propertyNamed(device: Described, selectorText: string): DescribedProperty {
  const selector = parseSelector(selectorText);
  if (!selector) throw new NamedError("Service Not Found", "The selector must be SERVICE[:INDEX].PROPERTY.");
  const { service, index, property } = selector;
  const ofClass = device.byService.get(service) ?? [];
  const instances = ofClass.filter((each) => index === undefined || each.index === index);
  const [first] = instances;
  if (!first) throw new NamedError("Service Not Found", `The device has no service ${selectorText}.`);
  if (property === undefined) throw new NamedError("Service Property Invalid", "Name the property of the service.");
  if (instances.some((each) => each.index !== first.index))
    throw new NamedError(
      "Service Property Invalid",
      `The device has several ${service} services. Give the index of one.`,
    );
  const found = instances.find((each) => each.property === property);
  if (!found)
    throw new NamedError("Service Property Invalid", `${service} of this device has no property ${property}.`);
  return found;
}
