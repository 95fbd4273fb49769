/** The services of a device: what it can do, property by property, with the values it has at present. */
import { z } from "zod";
import { timeField } from "./fields.ts";

const index = z
  .string()
  .meta({ description: 'Tells instances of one class apart; "0" for a single one', example: "0" });

export const propertyDescriptor = z
  .object({
    property: z.string(),
    type: z.enum(["boolean", "integer", "number", "string", "json"]),
    unit: z.string().optional(),
    min: z.number().optional(),
    max: z.number().optional(),
    step: z.number().optional(),
    values: z
      .array(z.union([z.string(), z.number(), z.boolean()]))
      .optional()
      .meta({ description: "The only values it can have" }),
    access: z.array(z.enum(["read", "write", "notify"])),
    value: z.json().optional().meta({ description: "Absent while it has none" }),
    modifiedAt: timeField.optional(),
    observedAt: timeField.optional(),
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
