/**
 * Frames between the cloud and a home that are neither commands nor reads: names for the API at home, requests to the hub's drivers and
 * to the hub itself. Most hubs never receive one, so the schemas are built on first use.
 */
import { z } from "zod";
import { driverAnswer, driverQuestion, isEdgeId, maintenanceAnswer, maintenanceQuestion } from "../model/index.ts";

const edgeId = z.string().refine(isEdgeId, "must be an EUI-48 or EUI-64");
const count = z.int().min(0);

// --- the hub's drivers -----------------------------------------------------------------------------------------------

/** A user's request to the drivers through the cloud: their state, devices that wait for admission, setups. */
export const drivers = z.object({ question: driverQuestion });
export const driversAnswer = driverAnswer;

// --- the hub itself ----------------------------------------------------------------------------------------------------

/** A user's request to the hub through the cloud: its status, checks, log, backups, a restart. */
export const maintenance = z.object({ question: maintenanceQuestion });
export { maintenanceAnswer };

// --- what the API at home needs to know ------------------------------------------------------------------------------

/** The cloud's names of all devices of the hub; the hub deletes the name of any other device. */
export const names = z.lazy(() =>
  z.object({
    /** Digest of all members below; the hub reports it in its next hello. */
    digest: z.string().min(1).max(64),
    ecosystemId: z.string().max(64),
    environmentId: z.string().max(64),
    environmentAlias: z.string().max(256).optional(),
    clientId: z.string().max(64),
    devices: z.array(z.object({ edgeId, id: z.string().max(64), version: count })).max(1000),
  }),
);
/** `wanted`: devices whose current version the hub does not have. */
export const namesAnswer = z.object({ wanted: z.array(edgeId) });

/**
 * One device. `meta` is JSON `{"s": system metadata under bare names, "o": the rest}`, each omitted when empty: text, so that it can
 * hold any key.
 */
export const name = z.lazy(() =>
  z.object({
    edgeId,
    id: z.string().max(64),
    version: count,
    alias: z.string().max(256).optional(),
    meta: z.string().max(72 * 1024),
    createdAt: z.number(),
  }),
);
export const nameAnswer = z.object({});
