/** A device, physical or virtual, with its services: their properties and current values. */
import { z } from "zod";
import { INDEX, isName, propertyShape, writtenLimits } from "../model/index.ts";
import {
  aliasField,
  aliasInput,
  environmentInput,
  idField,
  metaField,
  metaInput,
  textField,
  timeField,
} from "./fields.ts";
import { valueSource } from "./property.ts";

/** The services of a device: its properties with their current values. */
const index = z
  .string()
  .meta({ description: 'Tells instances of one class apart; "0" for a single one', example: "0" });

const propertyDescriptor = z
  .object({
    ...propertyShape,
    value: z.json().optional().meta({ description: "Absent while it has none" }),
    modifiedAt: timeField.optional(),
    observedAt: timeField.optional(),
    source: valueSource,
  })
  .meta({ id: "PropertyDescriptor" });
export type PropertyDescriptor = z.output<typeof propertyDescriptor>;

export const serviceDescriptor = z
  .object({
    service: z.string().meta({ example: "LightColor" }),
    index,
    properties: z.array(propertyDescriptor),
  })
  .meta({ id: "ServiceDescriptor" });
export type ServiceDescriptor = z.output<typeof serviceDescriptor>;

/** All services of a device. */
export const serviceList = z.object({ items: z.array(serviceDescriptor) });
export type ServiceList = z.output<typeof serviceList>;

/** The services of each device in an environment, without devices that have none. */
export const deviceServicesList = z.object({
  items: z.array(
    z
      .object({ deviceId: idField("dev"), services: z.array(serviceDescriptor) })
      .meta({ id: "DeviceServices", description: "What one device can do, with its current values" }),
  ),
});
export type DeviceServicesList = z.output<typeof deviceServicesList>;

const nameInput = z
  .string()
  .refine(isName, "is no name: a letter, then at most 63 letters, digits, `_` and `-`")
  .meta({ pattern: "^[A-Za-z][A-Za-z0-9_-]{0,63}$", example: "LightColor" });
const textInput = textField(64);

/** A property of a device to create. */
const newProperty = z
  .strictObject({
    property: nameInput.meta({ example: "hue" }),
    type: propertyShape.type.optional().meta({ description: "Required if the catalogue does not have it" }),
    unit: textField(16).optional(),
    ...writtenLimits,
    values: z
      .array(z.union([textInput, z.number(), z.boolean()]))
      .min(1)
      .max(256)
      .optional()
      .meta({ description: "The only values it can have" }),
    access: propertyShape.access
      .min(1)
      .max(3)
      .optional()
      .meta({ description: "By default that of the catalogue, or else read and notify" }),
    value: z.json().optional().meta({ description: "The initial value" }),
    modifiedAt: z
      .unknown()
      .optional()
      .meta({ description: "Ignored, so that an object can be sent back as it was read" }),
    observedAt: z
      .unknown()
      .optional()
      .meta({ description: "Ignored, so that an object can be sent back as it was read" }),
  })
  .meta({ id: "NewProperty" });
export type NewProperty = z.output<typeof newProperty>;

/** A service of a device to create. */
const newService = z
  .strictObject({
    service: nameInput,
    index: z
      .string()
      .regex(INDEX, 'must be "0" to "999"')
      .default("0")
      .meta({ description: "Distinguishes instances of one class" }),
    properties: z
      .array(z.union([nameInput, newProperty]))
      .min(1)
      .max(64)
      .optional()
      .meta({ description: "A standard property may be just its name; a standard class without any has all of them" }),
  })
  .meta({ id: "NewService" });
export type NewService = z.output<typeof newService>;

const titleField = z.string().meta({ description: "The name for people", example: "Brightness" });
const standardProperties = z.array(
  propertyDescriptor
    .omit({ value: true, modifiedAt: true, observedAt: true, source: true })
    .extend({ title: titleField }),
);

/** A class of the catalogue. */
export const serviceClass = z
  .object({
    service: z.string().meta({ example: "LightColor" }),
    title: titleField,
    properties: standardProperties,
    optional: standardProperties
      .optional()
      .meta({ description: "Properties that a device of the class has only if its description names them" }),
  })
  .meta({ id: "ServiceClass" });
export type ServiceClass = z.output<typeof serviceClass>;

/** The catalogue of standard service classes. */
export const serviceCatalogue = z.object({ items: z.array(serviceClass) });
export type ServiceCatalogue = z.output<typeof serviceCatalogue>;

export const deviceConnection = z
  .object({
    state: z.enum(["online", "offline", "unknown"]).meta({ description: "`unknown` while its hub is offline" }),
    since: timeField,
    lastSeenAt: timeField.optional().meta({
      description: "The latest time at which its hub reported it online or offline, or it confirmed a value",
    }),
  })
  .meta({ id: "DeviceConnection" });
export type DeviceConnection = z.output<typeof deviceConnection>;

export const deviceType = z.enum(["physical", "virtual"]);

export const device = z
  .object({
    id: idField("dev"),
    ecosystemId: idField("eco"),
    environmentId: idField("env"),
    type: deviceType,
    edgeId: z.string().optional().meta({ description: "Of a physical device", example: "00-1B-44-11-3A-B7" }),
    alias: aliasField,
    meta: metaField,
    createdAt: timeField,
    clientId: idField("cli").optional().meta({ description: "The hub through which it is reached" }),
    connection: deviceConnection.optional(),
  })
  .meta({ id: "Device" });
export type Device = z.output<typeof device>;

/** The request that creates a virtual device. Physical devices come from hubs. */
export const newDevice = z.strictObject({
  environmentId: environmentInput,
  alias: aliasInput,
  meta: metaInput,
  services: z
    .array(newService)
    .min(1)
    .max(64)
    .meta({ description: "The services of the device; what is left out of a standard class comes from the catalogue" }),
});
export type NewDevice = z.output<typeof newDevice>;
