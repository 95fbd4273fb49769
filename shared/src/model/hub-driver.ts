/**
 * A hub's report on its drivers, and the requests of a user to them: admitting devices, and setups, which are conversations (press the
 * button, enter the code). The hub, its tunnel, the API and all user interfaces share these words.
 *
 * Each schema is built on first use: most hubs never receive such a request, and a schema takes 2 KB of memory.
 */
import { z } from "zod";
import { isEdgeId } from "./device.ts";

/**
 * State of the Matter bridge, the program that exposes the hub's devices to Matter controllers: the codes that pair the next
 * controller, and the paired controllers. Built on first use, like the schemas of drivers.
 */
export const matterBridge = z.lazy(() =>
  z
    .object({
      state: z.enum(["waiting", "paired"]).meta({
        description:
          "`waiting`: the codes pair the first controller. `paired`: a paired controller lets the next one in",
      }),
      qrCode: z
        .string()
        .max(256)
        .optional()
        .meta({ description: "Text of the QR code", example: "MT:Y.K908MZ17FR1U2WS10" }),
      manualCode: z.string().max(32).optional().meta({ description: "The same as digits", example: "34970112332" }),
      devices: z.int().min(0).meta({ description: "Devices that it shows" }),
      controllers: z
        .array(
          z.object({
            vendorId: z.int().min(0).max(65_535).meta({ description: "Number of its vendor", example: 4937 }),
            label: z.string().max(64).meta({ description: "What it calls its home" }),
          }),
        )
        .max(32)
        .meta({ description: "Controllers that are paired" }),
    })
    .meta({ id: "MatterBridge" }),
);
export type MatterBridge = z.output<typeof matterBridge>;

const edgeId = z.string().refine(isEdgeId, "must be an EUI-48 or EUI-64").meta({ description: "EUI-48 or EUI-64" });
const shortText = z.string().max(256);
const longText = z.string().max(1024);

/** Maximum number of entries in each list of one driver. */
export const MOST_LISTED = 100;

export const foundDevice = z.lazy(() =>
  z
    .object({
      edgeId,
      name: shortText.optional(),
      manufacturer: shortText.optional(),
      model: shortText.optional(),
      services: z
        .array(z.string().max(64))
        .max(64)
        .meta({ description: "The classes of its services, as far as they are known" }),
      admission: z.enum(["awaiting_admission", "not_admitted"]).meta({
        description:
          "`awaiting_admission`: the device can hurt somebody or let somebody in, and must be admitted individually. `not_admitted`: no setting of the hub admits it",
      }),
    })
    .meta({ id: "FoundDevice" }),
);

export const unpairedDevice = z.lazy(() =>
  z
    .object({
      name: shortText.meta({ description: "What it calls itself, or what it is", example: "Hue bridge Hall" }),
      edgeId: edgeId.optional(),
      address: shortText.optional().meta({ description: "Where it is on the network", example: "192.168.1.20" }),
      missing: longText.meta({
        description: "What is missing, or what a person must do, in a sentence",
        example: "Press the round button on the bridge.",
      }),
      setup: z
        .string()
        .max(64)
        .optional()
        .meta({ description: "Kind of the setup that pairs it", example: "hue-bridge" }),
    })
    .meta({ id: "UnpairedDevice" }),
);

export const setupKind = z.lazy(() =>
  z.object({ kind: z.string().max(64).meta({ example: "zigbee" }), title: shortText }).meta({ id: "SetupKind" }),
);

export const hubDriver = z.lazy(() =>
  z
    .object({
      name: shortText.meta({ example: "mqtt 127.0.0.1:1883" }),
      state: z.enum(["starting", "running", "failed", "stopped"]),
      problem: longText.optional().meta({ description: "What prevents it from reaching its devices, in a sentence" }),
      devices: z.int().min(0).meta({ description: "Devices that it can reach now" }),
      found: z.array(foundDevice).max(MOST_LISTED).meta({ description: "Devices that it sees but does not use" }),
      unpaired: z
        .array(unpairedDevice)
        .max(MOST_LISTED)
        .default([])
        .meta({ description: "Bridges and devices that it has found and that must be paired first" }),
      setups: z.array(setupKind).max(16).meta({ description: "The setups that it offers now" }),
    })
    .meta({ id: "HubDriver" }),
);

export const setupQuestion = z.lazy(() =>
  z
    .object({
      number: z.int().min(1).meta({ description: "Number of the question in this setup" }),
      ask: z.enum(["code", "password", "choice"]),
      text: longText,
      choices: z.array(shortText).max(64).optional(),
    })
    .meta({ id: "SetupQuestion" }),
);

export const hubSetup = z.lazy(() =>
  z
    .object({
      id: z.string().max(64),
      kind: z.string().max(64),
      title: shortText,
      driver: shortText,
      state: z.enum(["running", "asking", "done", "failed", "cancelled"]),
      text: longText.meta({ description: "What to do, what is happening, or how it ended" }),
      secondsLeft: z.int().min(0).optional().meta({ description: "The longest time that this state lasts" }),
      question: setupQuestion.optional().meta({ description: "While `state` is `asking`" }),
      found: z
        .array(z.object({ edgeId: edgeId.optional(), name: shortText }))
        .max(MOST_LISTED)
        .meta({ description: "What it has found so far" }),
      version: z.int().min(1).meta({ description: "Grows with every change" }),
    })
    .meta({ id: "HubSetup" }),
);

export type FoundDeviceText = z.output<typeof foundDevice>;
export type UnpairedDeviceText = z.output<typeof unpairedDevice>;
export type SetupKindText = z.output<typeof setupKind>;
export type HubDriver = z.output<typeof hubDriver>;
export type HubSetup = z.output<typeof hubSetup>;

/** A request to a hub's drivers. */
export const driverQuestion = z.lazy(() =>
  z.discriminatedUnion("ask", [
    z.object({ ask: z.literal("drivers") }),
    /** Allowed for a device that was never seen; safe to repeat. */
    z.object({ ask: z.literal("admit"), edgeId, admitted: z.boolean() }),
    z.object({ ask: z.literal("setup start"), kind: z.string().max(64) }),
    /** Answered when the version of the setup exceeds `after`, or after `waitMs`. */
    z.object({
      ask: z.literal("setup look"),
      id: z.string().max(64),
      after: z.int().min(0),
      waitMs: z.number().min(0).max(60_000),
    }),
    /** Safe to repeat: the same answer to the same question counts once. */
    z.object({ ask: z.literal("setup answer"), id: z.string().max(64), number: z.int().min(1), answer: longText }),
    z.object({ ask: z.literal("setup cancel"), id: z.string().max(64) }),
    /** The bridge itself sends its state repeatedly: the hub forgets what the newest state omits. */
    z.object({ ask: z.literal("matter bridge"), is: matterBridge }),
  ]),
);
export type DriverQuestion = z.output<typeof driverQuestion>;

/** Errors of these requests, by their names in the API. */
export const driverRefusal = z.lazy(() =>
  z.object({
    name: z.enum(["Setup Kind Invalid", "Setup Not Found", "Setup Answer Invalid", "Setup In Use", "Quota Exceeded"]),
    detail: longText,
  }),
);

export const driverAnswer = z.lazy(() =>
  z.union([
    z.object({ refused: driverRefusal }),
    z.object({ drivers: z.array(hubDriver).max(64), matterBridge: matterBridge.optional() }),
    z.object({ setup: hubSetup }),
    z.object({ admitted: z.boolean() }),
    z.object({ heard: z.literal(true) }),
  ]),
);
export type DriverAnswer = z.output<typeof driverAnswer>;
