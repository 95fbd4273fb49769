/** What a hub says of the program that shows its devices to Matter controllers: how the next controller is paired, and which are. */
import { z } from "zod";

/** Built when it is first used, as the schemas of drivers are. */
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
